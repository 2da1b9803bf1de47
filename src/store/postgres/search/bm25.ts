import { termScore } from '../../../domain/search/bm25.js'
import { type Scored, Top } from '../../../domain/search/top-k.js'
import {
  BLOCK,
  blockOf,
  countIn,
  ENTRY,
  findEntry,
  headAt,
  headIn,
  lengthAt,
  lengthIn,
  placeIn,
} from './postings.js'

/** Where one term occurs: its entries by block, each in order of recording. */
export type PostingList = Map<number, string>

/** Where a term occurs, and how much that tells. */
export interface Weighted {
  readonly list: PostingList
  readonly idf: number
}

/** What a term is worth to a memory of that length which holds it so many times. */
type Worth = (count: number, length: number) => number

/** Some memories: the places in each block, ascending. */
export type Marks = ReadonlyMap<number, readonly number[]>

/** The best score of so many places in a row is kept as well, so that most need not be looked through. */
const GROUP = 64
/** The scores of the memories of a block, and behind them the best of each group. */
type Block = Float64Array

/** Blocks to be used again, all zero: a search of a large graph takes a thousand, and making them takes longer. */
const spare: Block[] = []
const MOST_SPARE = 4096

/** Where the entries of a block are read from: letters are far quicker to get from bytes than from a string. */
const letters = Buffer.alloc(BLOCK * ENTRY)

/** Most memories are shorter, and most hold a term once: that worth is computed once for each length. */
const USUAL_LENGTH = 512

/** What terms add up to for each memory, block by block. */
export class Scores {
  readonly #blocks = new Map<number, Block>()
  readonly #averageLength: number

  constructor(averageLength: number) {
    this.#averageLength = averageLength
  }

  /**
   * Adds what each term is worth to every memory that holds it, or to those of them that are marked. One block after the
   * other, all terms in each, so that what is added to stays near the processor.
   */
  add(terms: readonly Weighted[], marks: Marks | undefined): void {
    const worths = terms.map(({ list, idf }) => ({ list, worth: this.#worthOf(idf) }))
    const numbers = marks?.keys() ?? new Set(terms.flatMap(({ list }) => [...list.keys()]))
    for (const number of numbers) {
      const block = this.#block(number)
      const places = marks?.get(number)
      for (const { list, worth } of worths) {
        const entries = list.get(number)
        if (entries === undefined) continue
        if (places === undefined) addAll(block, entries, worth)
        else addSome(block, entries, worth, places)
      }
    }
  }

  /** Best first, ties by order of recording. */
  best(limit: number): Scored[] {
    const top = new Top(limit)
    this.#each(this.line(limit), (seq, score) => top.offer(seq, score))
    return top.ranked()
  }

  /** The score that is the last of the best `limit`; 0 while there are fewer. */
  line(limit: number): number {
    const heap = new Float64Array(limit)
    for (const block of this.#blocks.values())
      for (let group = 0; group < BLOCK; group += GROUP) {
        if (bestOf(block, group) <= (heap[0] ?? 0)) continue
        for (let place = group; place < group + GROUP; place++) {
          const score = block[place] ?? 0
          if (score > (heap[0] ?? 0)) replaceLeast(heap, score)
        }
      }
    return heap[0] ?? 0
  }

  /** Marks the memories with at least this score. */
  reaching(least: number): Marks {
    const marks = new Map<number, number[]>()
    this.#each(least, (seq) => mark(marks, seq))
    return marks
  }

  /** Have more memories than `most` at least this score? */
  manyReach(least: number, most: number): boolean {
    let count = 0
    this.#each(least, () => count++)
    return count > most
  }

  /** Gives back what it took; it is empty then. */
  clear(): void {
    for (const block of this.#blocks.values()) if (spare.length < MOST_SPARE) spare.push(block.fill(0))
    this.#blocks.clear()
  }

  /** Visits the memories with a score of at least this, in each block in order of recording. */
  #each(least: number, visit: (seq: number, score: number) => void): void {
    for (const [number, block] of this.#blocks)
      for (let group = 0; group < BLOCK; group += GROUP) {
        if (bestOf(block, group) < least) continue
        for (let place = group; place < group + GROUP; place++) {
          const score = block[place] ?? 0
          if (score > 0 && score >= least) visit(number * BLOCK + place, score)
        }
      }
  }

  #block(number: number): Block {
    const known = this.#blocks.get(number)
    if (known !== undefined) return known
    const block = spare.pop() ?? new Float64Array(BLOCK + BLOCK / GROUP)
    this.#blocks.set(number, block)
    return block
  }

  #worthOf(idf: number): Worth {
    const once = new Float64Array(USUAL_LENGTH)
    return (count, length) => {
      if (count !== 1 || length >= USUAL_LENGTH) return termScore(idf, count, length, this.#averageLength)
      const known = once[length] ?? 0
      if (known !== 0) return known
      const worth = termScore(idf, 1, length, this.#averageLength)
      once[length] = worth
      return worth
    }
  }
}

function addAll(block: Block, entries: string, worth: Worth): void {
  const end = letters.write(entries, 'latin1')
  for (let at = 0; at < end; at += ENTRY) {
    const head = headIn(letters, at)
    raise(block, placeIn(head), worth(countIn(head), lengthIn(letters, at)))
  }
}

function addSome(block: Block, entries: string, worth: Worth, places: readonly number[]): void {
  for (const place of places) {
    const at = findEntry(entries, place)
    if (at >= 0) raise(block, place, worth(countIn(headAt(entries, at)), lengthAt(entries, at)))
  }
}

function raise(block: Block, place: number, by: number): void {
  const score = (block[place] ?? 0) + by
  block[place] = score
  if (score > bestOf(block, place)) block[BLOCK + Math.floor(place / GROUP)] = score
}

/** The best score of the group that a place is in. */
function bestOf(block: Block, place: number): number {
  return block[BLOCK + Math.floor(place / GROUP)] ?? 0
}

export function marksOf(seqs: Iterable<number>): Marks {
  const marks = new Map<number, number[]>()
  for (const seq of seqs) mark(marks, seq)
  for (const places of marks.values()) places.sort((a, b) => a - b)
  return marks
}

function mark(marks: Map<number, number[]>, seq: number): void {
  const number = blockOf(seq)
  const places = marks.get(number)
  if (places === undefined) marks.set(number, [seq % BLOCK])
  else places.push(seq % BLOCK)
}

/** Does a memory hold the term? */
export function holds(list: PostingList | undefined, seq: number): boolean {
  return findEntry(list?.get(blockOf(seq)) ?? '', seq % BLOCK) >= 0
}

/** Takes the least number off a heap that has it on top, and puts a larger one in. */
function replaceLeast(heap: Float64Array, value: number): void {
  let parent = 0
  for (;;) {
    const left = 2 * parent + 1
    if (left >= heap.length) break
    const right = left + 1
    const child = right < heap.length && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left
    if ((heap[child] ?? 0) >= value) break
    heap[parent] = heap[child] ?? 0
    parent = child
  }
  heap[parent] = value
}
