import type { EventRecord } from '../../../graph/records.js'
import { isEvent } from '../../../graph/records.js'
import { type GraphHistory, type HistoryPlace, START } from '../graph-files/history.js'

/** In characters of payloads: what is made of so many takes a few milliseconds. */
const PAGE = 24 * 1024

type SizeOf = (event: EventRecord) => number

/**
 * The events of a graph, a page at a time. Whoever takes them may be slow, and there may be hundreds of them: what was
 * read around a page is for all who read the same history, and is kept only for as long as there is memory for it.
 */
export async function* exportPages(
  parts: HistoryParts,
  unneeded: number,
  sizeOf: SizeOf,
): AsyncGenerator<readonly EventRecord[]> {
  for (let at: HistoryPlace | undefined = START; at !== undefined; ) {
    const part = parts.at(at, unneeded)
    for (let from = 0; ; ) {
      const page = await part.page(from, sizeOf)
      if (page.length === 0) break
      yield page
      from += page.length
    }
    at = part.next
  }
}

/** The parts of a history that were read, for all who read it. */
export class HistoryParts {
  readonly #history: GraphHistory
  readonly #parts = new Map<string, PartOfHistory>()

  constructor(history: GraphHistory) {
    this.#history = history
  }

  at(place: HistoryPlace, unneeded: number): PartOfHistory {
    // Only a whole part is kept for others: of what is left of one there would be as many as places to begin after.
    if (unneeded > place.last) return new PartOfHistory(this.#history, place, unneeded)
    const key = `${place.file} ${place.offset}`
    const part = this.#parts.get(key) ?? new PartOfHistory(this.#history, place, unneeded)
    this.#parts.set(key, part)
    return part
  }
}

class PartOfHistory {
  /** Where the next part begins, once this one was read. */
  next: HistoryPlace | undefined
  readonly #history: GraphHistory
  readonly #at: HistoryPlace
  readonly #unneeded: number
  #events: WeakRef<readonly EventRecord[]> | undefined

  constructor(history: GraphHistory, at: HistoryPlace, unneeded: number) {
    this.#history = history
    this.#at = at
    this.#unneeded = unneeded
  }

  /** Its events from the one with this index on, none after the last. */
  async page(from: number, sizeOf: SizeOf): Promise<readonly EventRecord[]> {
    const events = this.#events?.deref() ?? (await this.#read())
    let to = from
    for (let size = 0; size < PAGE && to < events.length; to++) size += sizeOf(events[to] as EventRecord)
    return events.slice(from, to)
  }

  async #read(): Promise<readonly EventRecord[]> {
    const { frames, next } = await this.#history.part(this.#at, this.#unneeded)
    const events = frames.flatMap(({ records }) => records.filter(isEvent))
    this.next = next
    this.#events = new WeakRef(events)
    return events
  }
}
