import { inverseDocumentFrequency, termScore } from '../../domain/ranking.js'

/** Where one term occurs: memory ordinals in rising order, and how often, in arrays that double when full. */
class Postings {
  documents = new Uint32Array(4)
  counts = new Uint8Array(4)
  length = 0

  push(document: number, count: number): void {
    if (this.length === this.documents.length) {
      this.documents = doubled(this.documents, new Uint32Array(this.length * 2))
      this.counts = doubled(this.counts, new Uint8Array(this.length * 2))
    }
    this.documents[this.length] = document
    this.counts[this.length] = Math.min(count, 255)
    this.length++
  }
}

export interface Hit {
  readonly document: number
  readonly score: number
  readonly matched: readonly string[]
}

/** The words of all memories of a graph: an inverted index with BM25, and the likeness of two memories. */
export class TermIndex {
  readonly #numbers = new Map<string, number>()
  readonly #postings: Postings[] = []
  readonly #documents: Uint32Array[] = []
  #lengths = new Uint32Array(16)
  #totalLength = 0

  get documentCount(): number {
    return this.#documents.length
  }

  /** Adds the next document; documents are numbered from 0 in the order in which they are added. */
  add(stems: readonly string[]): void {
    const counts = new Map<number, number>()
    for (const stem of stems) {
      const number = this.#number(stem)
      counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    const document = this.#documents.length
    for (const [number, count] of counts) this.#postings[number]?.push(document, count)
    this.#documents.push(Uint32Array.from(counts.keys()).sort())
    if (document === this.#lengths.length)
      this.#lengths = doubled(this.#lengths, new Uint32Array(document * 2))
    this.#lengths[document] = stems.length
    this.#totalLength += stems.length
  }

  idf(term: string): number {
    const number = this.#numbers.get(term)
    return this.#idf(number === undefined ? undefined : this.#postings[number])
  }

  /** Every document that holds one of the terms and passes `accepts`, in no order. */
  search(terms: readonly string[], accepts: (document: number) => boolean): Hit[] {
    const average = this.#totalLength / Math.max(1, this.#documents.length)
    const hits = new Map<number, { document: number; score: number; matched: string[] }>()
    for (const term of terms) {
      const postings = this.#postings[this.#numbers.get(term) ?? -1]
      if (postings === undefined) continue
      const idf = this.#idf(postings)
      for (let i = 0; i < postings.length; i++) {
        const document = postings.documents[i] ?? 0
        let hit = hits.get(document)
        if (hit === undefined) {
          if (!accepts(document)) continue
          hit = { document, score: 0, matched: [] }
          hits.set(document, hit)
        }
        hit.score += termScore(idf, postings.counts[i] ?? 0, this.#lengths[document] ?? 0, average)
        hit.matched.push(term)
      }
    }
    return [...hits.values()]
  }

  /** 0..1: the idf-weighted share of stems that two documents have in common, by the smaller of the two. */
  likeness(a: number, b: number): number {
    const left = this.#documents[a] ?? new Uint32Array()
    const right = this.#documents[b] ?? new Uint32Array()
    let shared = 0
    for (let i = 0, j = 0; i < left.length && j < right.length; ) {
      const x = left[i] ?? 0
      const y = right[j] ?? 0
      if (x === y) {
        shared += this.#idf(this.#postings[x])
        i++
        j++
      } else if (x < y) i++
      else j++
    }
    return shared === 0 ? 0 : shared / Math.min(this.#weight(left), this.#weight(right))
  }

  #weight(terms: Uint32Array): number {
    let sum = 0
    for (const term of terms) sum += this.#idf(this.#postings[term])
    return sum
  }

  #idf(postings: Postings | undefined): number {
    return inverseDocumentFrequency(this.#documents.length, postings?.length ?? 0)
  }

  #number(stem: string): number {
    let number = this.#numbers.get(stem)
    if (number === undefined) {
      number = this.#postings.length
      this.#numbers.set(stem, number)
      this.#postings.push(new Postings())
    }
    return number
  }
}

function doubled<T extends Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
