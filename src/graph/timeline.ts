import { countUpTo } from '../domain/in-order.js'
import { earlierOf, laterOf } from '../domain/time.js'

interface Stated {
  readonly place: number
  /** In the log. */
  readonly seq: number
  readonly recordedAt: string
  /** The latest that anything told so far has happened; never later than it was recorded. */
  readonly newestAt: string
}

/** When the events of a graph were recorded, and when the newest of what they tell happened. */
export class Timeline {
  readonly #stated: Stated[] = []

  add({
    place,
    seq,
    recordedAt,
    occurredAt,
  }: Omit<Stated, 'newestAt'> & { readonly occurredAt: string }): void {
    const before = this.#stated.at(-1)?.newestAt ?? ''
    this.#stated.push({
      place,
      seq,
      recordedAt,
      newestAt: laterOf(before, earlierOf(occurredAt, recordedAt)),
    })
  }

  /** The place of the first event; later than every place when there is none. */
  get first(): number {
    return this.#stated[0]?.place ?? Number.POSITIVE_INFINITY
  }

  newestAt(place: number): string {
    return this.#upTo(place)?.newestAt ?? ''
  }

  /** When the latest event was recorded. */
  statedAt(place: number): string {
    return this.#upTo(place)?.recordedAt ?? ''
  }

  /** The place of the last event that was recorded by a time; 0 when there was none. */
  placeBy(time: string): number {
    let low = 0
    let high = this.#stated.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#stated[middle]?.recordedAt ?? '') <= time) low = middle + 1
      else high = middle
    }
    return this.#stated[low - 1]?.place ?? 0
  }

  /** The position in the log of the last event up to a sequence number; 0 if there is none. */
  positionOf(place: number): number {
    return this.#upTo(place)?.seq ?? 0
  }

  #upTo(place: number): Stated | undefined {
    return this.#stated[countUpTo(this.#stated, place) - 1]
  }
}

/** The moments at which something that is recorded begins or ends by itself. */
export class Turns {
  #moments: string[] = []
  #isSorted = true

  add(moment: string): void {
    this.#isSorted &&= (this.#moments.at(-1) ?? '') <= moment
    this.#moments.push(moment)
  }

  /** How many have come by a time. */
  before(at: string): number {
    if (!this.#isSorted) this.#moments.sort()
    this.#isSorted = true
    let [low, high] = [0, this.#moments.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#moments[middle] ?? '') <= at) low = middle + 1
      else high = middle
    }
    return low
  }
}
