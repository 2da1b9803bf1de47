import { termScore } from '../../domain/ranking.js'
import { type Scored, Top } from '../../domain/top.js'
import { BLOCK, countIn, ENTRY, headAt, lengthAt, placeIn } from './postings.js'

/** Where one term occurs: its entries by block. */
export type PostingList = Map<number, string>

/** Some memories, as marks on the places of their blocks. */
export type Marks = ReadonlyMap<number, Uint8Array>

/** Most memories are shorter, and most hold a term once: what that is worth is reckoned once for each length. */
const USUAL_LENGTH = 512

/** What terms add up to for each memory, block by block. */
export class Scores {
  readonly #blocks = new Map<number, Float64Array>()
  readonly #averageLength: number

  constructor(averageLength: number) {
    this.#averageLength = averageLength
  }

  /** Adds what a term is worth to every memory that holds it, or to those of them that are marked. */
  add(list: PostingList, idf: number, marks: Marks | undefined): void {
    const once = new Float64Array(USUAL_LENGTH)
    for (const [block, entries] of list) {
      const marked = marks?.get(block)
      if (marks !== undefined && marked === undefined) continue
      const scores = this.#blocks.get(block) ?? new Float64Array(BLOCK)
      this.#blocks.set(block, scores)
      for (let i = 0; i + ENTRY <= entries.length; i += ENTRY) {
        const head = headAt(entries, i)
        const place = placeIn(head)
        if (marked !== undefined && marked[place] === 0) continue
        scores[place] = (scores[place] ?? 0) + this.#worth(once, idf, countIn(head), lengthAt(entries, i))
      }
    }
  }

  /** Best first, ties by order of recording. */
  best(limit: number): Scored[] {
    const line = this.line(limit)
    const top = new Top(limit)
    for (const [block, scores] of this.#blocks)
      for (let place = 0; place < BLOCK; place++) {
        const score = scores[place] ?? 0
        if (score > 0 && score >= line) top.offer(block * BLOCK + place, score)
      }
    return top.ranked()
  }

  /** The score that is the last of the best `limit`; 0 while there are fewer. */
  line(limit: number): number {
    const heap = new Float64Array(limit)
    for (const scores of this.#blocks.values())
      for (let place = 0; place < BLOCK; place++) {
        const score = scores[place] ?? 0
        if (score > (heap[0] ?? 0)) replaceLeast(heap, score)
      }
    return heap[0] ?? 0
  }

  /** Marks the memories with at least this score, and counts them. */
  reaching(least: number): { marks: Marks; count: number } {
    const marks = new Map<number, Uint8Array>()
    let count = 0
    for (const [block, scores] of this.#blocks)
      for (let place = 0; place < BLOCK; place++) {
        const score = scores[place] ?? 0
        if (score === 0 || score < least) continue
        const marked = marks.get(block) ?? new Uint8Array(BLOCK)
        marks.set(block, marked)
        marked[place] = 1
        count++
      }
    return { marks, count }
  }

  #worth(once: Float64Array, idf: number, count: number, length: number): number {
    if (count !== 1 || length >= USUAL_LENGTH) return termScore(idf, count, length, this.#averageLength)
    const known = once[length] ?? 0
    if (known !== 0) return known
    const worth = termScore(idf, 1, length, this.#averageLength)
    once[length] = worth
    return worth
  }
}

export function marksOf(seqs: Iterable<number>): Marks {
  const marks = new Map<number, Uint8Array>()
  for (const seq of seqs) {
    const block = Math.floor(seq / BLOCK)
    const marked = marks.get(block) ?? new Uint8Array(BLOCK)
    marks.set(block, marked)
    marked[seq % BLOCK] = 1
  }
  return marks
}

/** Does a memory hold the term? */
export function holds(list: PostingList | undefined, seq: number): boolean {
  const entries = list?.get(Math.floor(seq / BLOCK))
  if (entries === undefined) return false
  const place = seq % BLOCK
  for (let i = 0; i + ENTRY <= entries.length; i += ENTRY)
    if (placeIn(headAt(entries, i)) === place) return true
  return false
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
