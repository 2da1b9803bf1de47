import { termScore } from '../../domain/ranking.js'
import { type Scored, Top } from '../json/top.js'
import { BLOCK, countIn, ENTRY, headAt, lengthAt, placeIn } from './postings.js'

/** Where one term occurs: its entries by block. */
export type PostingList = Map<number, string>

/** What terms add up to for each memory, block by block. */
export class Scores {
  readonly #blocks = new Map<number, Float64Array>()

  /** Adds what a term is worth to every memory that holds it and is accepted. */
  add(
    list: PostingList,
    idf: number,
    averageLength: number,
    accepts: ((seq: number) => boolean) | undefined,
  ): void {
    for (const [block, entries] of list) {
      const scores = this.#blocks.get(block) ?? new Float64Array(BLOCK)
      this.#blocks.set(block, scores)
      for (let i = 0; i + ENTRY <= entries.length; i += ENTRY) {
        const head = headAt(entries, i)
        const place = placeIn(head)
        if (accepts !== undefined && !accepts(block * BLOCK + place)) continue
        const score = termScore(idf, countIn(head), lengthAt(entries, i), averageLength)
        scores[place] = (scores[place] ?? 0) + score
      }
    }
  }

  /** Best first, ties by order of recording. */
  best(limit: number): Scored[] {
    const top = new Top(limit)
    this.each((seq, score) => top.offer(seq, score))
    return top.ranked()
  }

  /** The memories with at least this score, and the blocks that they are in. */
  reaching(least: number): { seqs: Set<number>; blocks: Set<number> } {
    const seqs = new Set<number>()
    const blocks = new Set<number>()
    this.each((seq, score) => {
      if (score < least) return
      seqs.add(seq)
      blocks.add(Math.floor(seq / BLOCK))
    })
    return { seqs, blocks }
  }

  each(visit: (seq: number, score: number) => void): void {
    for (const [block, scores] of this.#blocks)
      for (let place = 0; place < BLOCK; place++) {
        const score = scores[place] ?? 0
        if (score > 0) visit(block * BLOCK + place, score)
      }
  }
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
