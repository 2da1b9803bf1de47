import { Best } from '../survey/best-of.js'

export interface Scored {
  readonly document: number
  readonly score: number
}

/** Keeps the best few of many: higher scores first, then lower numbers. */
export class Top {
  readonly #best: Best<Scored>

  constructor(limit: number) {
    this.#best = new Best(limit, (a, b) => b.score - a.score || a.document - b.document)
  }

  offer(document: number, score: number): void {
    this.#best.add({ document, score })
  }

  /** Best first. */
  ranked(): Scored[] {
    return this.#best.inOrder()
  }
}
