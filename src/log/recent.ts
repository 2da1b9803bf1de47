import type { EventRecord, Sighted } from '../graph/records.js'

/** More records than one commit adds, so that followers who keep up find all new records in memory. */
const MAX_RECORDS = 2_000
/** How many of the oldest records are dropped when there are too many. */
const DROP_COUNT = 1_000

/** The latest records of a graph, without the fields that are in their rows. Empty until the first call of `after`. */
export class RecentRecords {
  /** All records after this place are in memory. */
  #after = Number.POSITIVE_INFINITY
  #records: Sighted[] = []

  add(record: EventRecord): void {
    if (record.place <= this.#after) return
    this.#records.push(withoutRowFields(record))
    if (this.#records.length <= MAX_RECORDS) return
    this.#after = this.#records[DROP_COUNT - 1]?.place ?? this.#after
    this.#records = this.#records.slice(DROP_COUNT)
  }

  /** The records after a place; undefined if some are not in memory. From now on, records after `last` are kept. */
  after(place: number, last: number): readonly EventRecord[] | undefined {
    this.#after = Math.min(this.#after, last)
    if (place < this.#after) return undefined
    let from = this.#records.length
    while (from > 0 && (this.#records[from - 1]?.place ?? 0) > place) from--
    return this.#records.slice(from)
  }
}

/** A record without the fields that are in the row of its memory. */
export function withoutRowFields(record: EventRecord): Sighted {
  if (record.op === 'sighted') return record
  const { context: _context, kind: _kind, payload: _payload, ...stated } = record
  return { ...stated, op: 'sighted' }
}
