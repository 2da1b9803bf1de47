import type { MemoryId } from '../model.js'

/** The memories of one context by place, with those that stand to hand however many were superseded. */
export class Members {
  all: MemoryId[] = []
  #last = -1
  /** Those that stand, and those superseded since it was last swept. */
  #standing: MemoryId[] = []
  #superseded = 0

  add(id: MemoryId, place: number): void {
    if (place <= this.#last) return
    this.#last = place
    this.all.push(id)
    this.#standing.push(id)
  }

  supersede(isStanding: (id: MemoryId) => boolean): void {
    if (++this.#superseded > this.#standing.length / 2) this.#sweep(isStanding)
  }

  standAgain(id: MemoryId, placeOf: (id: MemoryId) => number): void {
    let [low, high] = [0, this.#standing.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (placeOf(this.#standing[middle] ?? id) < placeOf(id)) low = middle + 1
      else high = middle
    }
    if (this.#standing[low] !== id) this.#standing.splice(low, 0, id)
  }

  latest(most: number, isStanding: (id: MemoryId) => boolean): MemoryId[] {
    const found: MemoryId[] = []
    for (let i = this.#standing.length - 1; i >= 0 && found.length < most; i--) {
      const id = this.#standing[i]
      if (id !== undefined && isStanding(id)) found.push(id)
    }
    return found.reverse()
  }

  /** The first that stands. */
  earliest(isStanding: (id: MemoryId) => boolean): MemoryId | undefined {
    return this.#standing.find(isStanding)
  }

  keep(isKept: (id: MemoryId) => boolean, isStanding: (id: MemoryId) => boolean): void {
    this.all = this.all.filter(isKept)
    this.#standing = [...this.all]
    this.#sweep(isStanding)
  }

  #sweep(isStanding: (id: MemoryId) => boolean): void {
    this.#standing = this.#standing.filter(isStanding)
    this.#superseded = 0
  }
}
