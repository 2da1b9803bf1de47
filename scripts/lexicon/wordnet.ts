import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const PARTS = [
  ['n', 'noun'],
  ['v', 'verb'],
  ['a', 'adj'],
  ['r', 'adv'],
] as const

/** How near the words of a related group of synonyms are, by WordNet's pointer symbols; others are not followed. */
const NEARNESS = new Map([
  ['&', 0.7],
  ['+', 0.7],
  ['\\', 0.7],
  ['@', 0.55],
  ['~', 0.5],
])
const SYNONYM = 0.9
const MOST_SENSES = 8
const COMMON_SENSES = 3
const RARE_SENSE = 0.7

interface Group {
  readonly words: readonly string[]
  readonly pointers: readonly { symbol: string; to: string }[]
}

/** WordNet, as far as it is needed here: which words are near a word, and how near. */
export class WordNet {
  readonly #groups = new Map<string, Group>()
  readonly #senses = new Map<string, string[]>()

  static async read(folder: string): Promise<WordNet> {
    const wordnet = new WordNet()
    for (const [part, name] of PARTS) {
      for (const line of (await readFile(join(folder, `data.${name}`), 'utf8')).split('\n'))
        if (/^\d{8}/.test(line)) wordnet.#group(part, line)
      for (const line of (await readFile(join(folder, `index.${name}`), 'utf8')).split('\n'))
        if (line !== '' && !line.startsWith(' ')) wordnet.#index(part, line)
    }
    return wordnet
  }

  /** Single words near `word`, with 0..1 each. */
  thesaurus(word: string): Map<string, number> {
    const near = new Map<string, number>()
    const add = (other: string, weight: number) => {
      if (!other.includes('_') && other !== word && (near.get(other) ?? 0) < weight) near.set(other, weight)
    }
    const base = basesOf(word).find((form) => this.#senses.has(form))
    if (base === undefined) return near
    this.#senses
      .get(base)
      ?.slice(0, MOST_SENSES)
      .forEach((id, rank) => {
        const share = rank < COMMON_SENSES ? 1 : RARE_SENSE
        const group = this.#groups.get(id)
        for (const other of group?.words ?? []) add(other, SYNONYM * share)
        for (const { symbol, to } of group?.pointers ?? [])
          for (const other of this.#groups.get(to)?.words ?? [])
            add(other, (NEARNESS.get(symbol) ?? 0) * share)
      })
    return near
  }

  #group(part: string, line: string): void {
    const fields = (line.split(' | ')[0] ?? '').split(' ')
    const count = Number.parseInt(fields[3] ?? '0', 16)
    const words = Array.from({ length: count }, (_, i) =>
      (fields[4 + 2 * i] ?? '').toLowerCase().replace(/\(.*\)/, ''),
    )
    const start = 4 + 2 * count
    const pointers = Array.from({ length: Number(fields[start]) }, (_, i) => {
      const [symbol = '', offset = '', target = ''] = fields.slice(start + 1 + 4 * i, start + 4 + 4 * i)
      return { symbol, to: (target === 's' ? 'a' : target) + offset }
    })
    this.#groups.set(part + fields[0], { words, pointers })
  }

  #index(part: string, line: string): void {
    const fields = line.trim().split(' ')
    const word = fields[0] ?? ''
    const ids = fields.slice(-Number(fields[2])).map((offset) => part + offset)
    this.#senses.set(word, [...(this.#senses.get(word) ?? []), ...ids])
  }
}

/** The word and what it may be a form of. */
function basesOf(word: string): string[] {
  const bases = [word]
  const cut = (ending: string, ...replacements: string[]) => {
    if (!word.endsWith(ending)) return
    const root = word.slice(0, -ending.length)
    for (const replacement of replacements) bases.push(root + replacement)
    if (ending.length > 1 && root.at(-1) === root.at(-2)) bases.push(root.slice(0, -1))
  }
  cut('ies', 'y')
  cut('es', '')
  cut('s', '')
  cut('ing', '', 'e')
  cut('ed', '', 'e')
  return bases
}
