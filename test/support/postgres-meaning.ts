import { createHash } from 'node:crypto'
import { CodeScan } from '../../src/domain/meaning/code-scan.js'
import { DIMENSIONS, toBytes } from '../../src/domain/meaning/nearness.js'
import { loadScanProgram } from '../../src/service/meaning/program.js'
import type { Meaning } from '../../src/store/meaning.js'

/** A meaning that a test looks into: texts are near each other by the words that they share. */
export interface TestMeaning extends Meaning {
  /** Every text that was read, in order. */
  readonly read: string[]
  /** Done before each batch is read; what it throws is what reading rejects with. */
  before: (texts: readonly string[]) => void | Promise<void>
}

export async function createMeaning(identity = 'test-1'): Promise<TestMeaning> {
  const read: string[] = []
  const meaning: TestMeaning = {
    identity,
    scan: new CodeScan(await loadScanProgram()),
    read,
    before: () => undefined,
    async encode(texts) {
      await meaning.before(texts)
      read.push(...texts)
      return texts.map((text) => vectorOfText(text, identity))
    },
  }
  return meaning
}

/** The bytes of what a text means to the model. */
export function bytesOf(text: string, identity = 'test-1'): Int8Array {
  return toBytes(vectorOfText(text, identity))
}

function vectorOfText(text: string, identity: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const bytes = createHash('shake256', { outputLength: DIMENSIONS }).update(`${identity} ${word}`).digest()
    for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) + (bytes[i] ?? 0) - 127.5
  }
  const length = Math.hypot(...vector)
  return vector.map((component) => (length === 0 ? 0 : component / length))
}
