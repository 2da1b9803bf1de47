import { countUpTo, countWhile } from '../domain/in-order.js'
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
    const count = countWhile(this.#stated, ({ recordedAt }) => recordedAt <= time)
    return this.#stated[count - 1]?.place ?? 0
  }

  /** The position in the log of the last event up to a sequence number; 0 if there is none. */
  positionOf(place: number): number {
    return this.#upTo(place)?.seq ?? 0
  }

  #upTo(place: number): Stated | undefined {
    return this.#stated[countUpTo(this.#stated, place) - 1]
  }
}
