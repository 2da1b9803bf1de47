import type { EventRecord, Sighted } from '../graph/records.js'

/** More than one commit records, so that followers who keep up find in memory what they have not had. */
const MOST = 2_000
/** What is dropped at once when there are too many. */
const DROPPED = 1_000

/** The latest records of a graph, each without what its row has; none until they are first asked for. */
export class RecentRecords {
  /** All records after this place are here. */
  #after = Number.POSITIVE_INFINITY
  #records: Sighted[] = []

  add(record: EventRecord): void {
    if (record.place <= this.#after) return
    this.#records.push(asSighted(record))
    if (this.#records.length <= MOST) return
    this.#after = this.#records[DROPPED - 1]?.place ?? this.#after
    this.#records = this.#records.slice(DROPPED)
  }

  /** The records after a place; undefined when some of them are not here. From now on, those after `last` are. */
  after(place: number, last: number): readonly EventRecord[] | undefined {
    this.#after = Math.min(this.#after, last)
    if (place < this.#after) return undefined
    let from = this.#records.length
    while (from > 0 && (this.#records[from - 1]?.place ?? 0) > place) from--
    return this.#records.slice(from)
  }
}

function asSighted(record: EventRecord): Sighted {
  if (record.op === 'sighted') return record
  const { context: _context, kind: _kind, payload: _payload, ...stated } = record
  return { ...stated, op: 'sighted' }
}
