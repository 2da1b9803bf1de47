import { EVENT_KINDS, type EventKind, SOURCES, type Source } from '../model.js'

/** A graph in numbers. */
export interface GraphCounts {
  readonly memories: number
  readonly contexts: number
  /** Links between contexts, each once however many memories state it. */
  readonly relationships: number
  /** Events, repeats included. */
  readonly statements: number
  /** By name; at most `MAX_TYPES`. */
  readonly types: readonly TypeShare[]
  /** Of memories. */
  readonly kinds: Readonly<Record<EventKind, number>>
  /** Of statements. */
  readonly sources: Readonly<Record<Source, number>>
  readonly superseded: number
  /** Those that begin later. */
  readonly planned: number
  /** Those that ended, and that nothing took the place of. */
  readonly expired: number
  /** As many as `StaleSearch` finds that hold. */
  readonly stale: number
  /** Whether there may be more: those are counted as current. */
  readonly isStaleCut: boolean
  /** Of statements by the month of recording, in order. */
  readonly months: readonly MonthCount[]
  /** Undefined when there are no statements. */
  readonly firstAt: string | undefined
  readonly lastAt: string | undefined
  /** The latest in the order of recording that was ever given out. */
  readonly place: number
  readonly unread: number
}

interface TypeShare {
  readonly contextType: string
  readonly contexts: number
  readonly memories: number
}

interface MonthCount {
  /** `YYYY-MM` */
  readonly month: string
  readonly statements: number
}

export const MAX_TYPES = 1000

/** Counts statements as they are recorded. */
export class StatementCounts {
  readonly kinds = zero(EVENT_KINDS)
  readonly sources = zero(SOURCES)
  readonly #months = new Map<string, number>()
  statements = 0

  /** Counts some statements that are alike; with a kind, those that made a memory each. */
  add(source: Source, month: string, kind?: EventKind, many = 1): void {
    this.statements += many
    this.sources[source] += many
    if (kind !== undefined) this.kinds[kind] += many
    this.#months.set(month, (this.#months.get(month) ?? 0) + many)
  }

  get months(): MonthCount[] {
    const months = Array.from(this.#months, ([month, statements]) => ({ month, statements }))
    return months.sort((a, b) => (a.month < b.month ? -1 : 1))
  }
}

export function monthOf(time: string): string {
  return time.slice(0, 7)
}

function zero<K extends string>(keys: readonly K[]): Record<K, number> {
  // `fromEntries` forgets the keys.
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>
}
