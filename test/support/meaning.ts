import { CodeScan } from '../../src/domain/meaning/code-scan.js'
import { DIMENSIONS, toBytes } from '../../src/domain/meaning/nearness.js'
import { loadScanProgram } from '../../src/service/meaning/program.js'
import type { Meaning } from '../../src/store/meaning.js'

/** Reads for meaning in no time: texts are near when they share words. */
export class WordMeaning implements Meaning {
  readonly scan: CodeScan
  readonly identity: string
  /** Every text that was read, in order. */
  readonly read: string[] = []
  /** Done before some texts are read; what it throws is what reading rejects with. */
  before: (texts: readonly string[]) => void | Promise<void> = () => undefined
  #gate: Promise<void> = Promise.resolve()
  #open: () => void = () => undefined

  constructor(scan: CodeScan, identity: string) {
    this.scan = scan
    this.identity = identity
  }

  static async create(identity = 'words 1'): Promise<WordMeaning> {
    return new WordMeaning(new CodeScan(await loadScanProgram()), identity)
  }

  async encode(texts: readonly string[]): Promise<readonly Float32Array[]> {
    await this.#gate
    await this.before(texts)
    this.read.push(...texts)
    return texts.map(sumOfWords)
  }

  /** From now on reading waits, until it is released. */
  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve
    })
  }

  release(): void {
    this.#open()
  }
}

/** The vector of a text, as a question has it. */
export function vectorOf(text: string): Int8Array {
  return toBytes(sumOfWords(text))
}

function sumOfWords(text: string): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const vector = vectorOfWord(word)
    for (let i = 0; i < DIMENSIONS; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  }
  const length = Math.sqrt(sum.reduce((total, component) => total + component ** 2, 0)) || 1
  return sum.map((component) => component / length)
}

const MAX_WORDS = 2_000
const vectors = new Map<string, Float64Array>()

/** Tests say the same few words again and again. */
function vectorOfWord(word: string): Float64Array {
  const known = vectors.get(word)
  if (known !== undefined) return known
  if (vectors.size === MAX_WORDS) vectors.clear()
  const vector = new Float64Array(DIMENSIONS)
  let hash = 2166136261
  for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  for (let i = 0; i < DIMENSIONS; i++) {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + i
    vector[i] = (hash >>> 8) / 2 ** 23 - 1
  }
  vectors.set(word, vector)
  return vector
}
