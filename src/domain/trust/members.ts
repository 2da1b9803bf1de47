import { countWhile } from '../in-order.js'
import type { MemoryId } from '../model.js'

/** The memories of one context by place. The standing ones are found fast, however many were superseded. */
export class Members {
  readonly all: MemoryId[] = []
  #last = -1
  /** The standing memories, and those superseded since the last sweep. */
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
    const place = placeOf(id)
    const before = countWhile(this.#standing, (other) => placeOf(other) < place)
    if (this.#standing[before] !== id) this.#standing.splice(before, 0, id)
  }

  latest(most: number, isStanding: (id: MemoryId) => boolean): MemoryId[] {
    const found: MemoryId[] = []
    for (let i = this.#standing.length - 1; i >= 0 && found.length < most; i--) {
      const id = this.#standing[i]
      if (id !== undefined && isStanding(id)) found.push(id)
    }
    return found.reverse()
  }

  earliest(isStanding: (id: MemoryId) => boolean): MemoryId | undefined {
    return this.#standing.find(isStanding)
  }

  #sweep(isStanding: (id: MemoryId) => boolean): void {
    this.#standing = this.#standing.filter(isStanding)
    this.#superseded = 0
  }
}
