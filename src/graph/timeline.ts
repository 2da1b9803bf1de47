import { countUpTo, countWhile } from '../domain/in-order.js'
import { earlierOf, laterOf } from '../domain/time.js'

interface TimelineEntry {
  readonly place: number
  /** The position in the log. */
  readonly seq: number
  readonly recordedAt: string
  /** The latest time at which any event so far happened; capped at the time at which the event was recorded. */
  readonly newestAt: string
}

/** The places, positions and times of the events of a graph, in order of recording. */
export class Timeline {
  readonly #entries: TimelineEntry[] = []

  add({
    place,
    seq,
    recordedAt,
    occurredAt,
  }: Omit<TimelineEntry, 'newestAt'> & { readonly occurredAt: string }): void {
    const previous = this.#entries.at(-1)?.newestAt ?? ''
    this.#entries.push({
      place,
      seq,
      recordedAt,
      newestAt: laterOf(previous, earlierOf(occurredAt, recordedAt)),
    })
  }

  /** The place of the first event; `Infinity` when there is none. */
  get first(): number {
    return this.#entries[0]?.place ?? Number.POSITIVE_INFINITY
  }

  newestAt(place: number): string {
    return this.#upTo(place)?.newestAt ?? ''
  }

  /** When the latest event up to a place was recorded. */
  statedAt(place: number): string {
    return this.#upTo(place)?.recordedAt ?? ''
  }

  /** The place of the last event that was recorded by a time; 0 when there was none. */
  placeBy(time: string): number {
    const count = countWhile(this.#entries, ({ recordedAt }) => recordedAt <= time)
    return this.#entries[count - 1]?.place ?? 0
  }

  /** The position in the log of the last event up to a place; 0 if there is none. */
  positionOf(place: number): number {
    return this.#upTo(place)?.seq ?? 0
  }

  #upTo(place: number): TimelineEntry | undefined {
    return this.#entries[countUpTo(this.#entries, place) - 1]
  }
}
