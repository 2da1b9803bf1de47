import { contentOf } from '../../src/domain/events/same-event.js'
import type { GraphId, Json, MemoryId, Receipt } from '../../src/domain/model.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { type Decisions, NOTHING_DECIDED } from '../../src/domain/trust/claims/types.js'
import { decideNext } from '../../src/graph/deciding.js'
import { Graph } from '../../src/graph/graph.js'
import { type EventRecord, isEvent } from '../../src/graph/records.js'
import { receiptOf } from '../../src/graph/views.js'
import type { Entry } from '../../src/log/entries.js'
import type { Head } from '../../src/log/graph-log.js'
import { fromRow, MemoryStorage, type StoredRow } from '../support/memory-log/memory-storage.js'

/** How often an event is recorded. */
export interface Counted {
  readonly first: number
  readonly repeated: number
  readonly memoryId: MemoryId | undefined
}

/** What a graph was after one commit; without a head, there was none. */
export interface Version {
  readonly graphId: GraphId
  readonly head: Head | undefined
  readonly rows: readonly StoredRow[]
}

/** A storage that keeps every version of every graph until it is taken. */
export class WatchedStorage extends MemoryStorage {
  readonly #known = new Map<GraphId, Head>()
  #versions: Version[] = []

  override committed(undo: () => void): void {
    super.committed(undo)
    this.#look()
  }

  override failOver(commits: number): number {
    const lost = super.failOver(commits)
    this.#look()
    return lost
  }

  takeVersions(): readonly Version[] {
    const versions = this.#versions
    this.#versions = []
    return versions
  }

  /** Everything that is stored of a graph, as text. */
  textOf(graphId: GraphId): string {
    return (this.graphs.get(graphId)?.rows ?? []).map(({ text }) => text).join('\n')
  }

  #look(): void {
    for (const [graphId, { head, rows }] of this.graphs) {
      if (this.#known.get(graphId) === head) continue
      this.#known.set(graphId, head)
      this.#versions.push({ graphId, head, rows: [...rows] })
    }
    for (const graphId of this.#known.keys()) {
      if (this.graphs.has(graphId)) continue
      this.#known.delete(graphId)
      this.#versions.push({ graphId, head: undefined, rows: [] })
    }
  }
}

/** A statement as the log has it. */
interface Stated {
  readonly place: number
  readonly memoryId: MemoryId
  readonly isFirst: boolean
  readonly token: string
}

/** What the entries of the log add up to, without a process: what every process must say. */
export class Oracle {
  graph = newGraph()
  version: Version | undefined
  /** By place. */
  readonly statements = new Map<number, Stated>()
  /** The memories that a place has ever been given to. */
  readonly seen = new Map<number, Set<MemoryId>>()
  /** Those that follow from the records as they were written, by memory and place. */
  readonly receipts = new Map<string, Receipt>()
  readonly #contents = new Map<string, MemoryId>()

  /** Throws if the version is not what any graph can become. */
  async follow(version: Version): Promise<void> {
    const before = this.version?.head === undefined ? { head: undefined, rows: [] } : this.version
    this.version = version
    const entries = version.rows.map(fromRow)
    const isTail =
      before.head === undefined
        ? entries.every(({ records }) => records.every(isEvent))
        : before.head.epoch === version.head?.epoch && before.rows.every((row, i) => row === version.rows[i])
    if (!isTail || before.head === undefined) {
      this.graph = newGraph()
      this.statements.clear()
      this.#contents.clear()
    }
    for (const entry of entries.slice(isTail ? before.rows.length : 0)) await this.#apply(entry, isTail)
    const { head } = version
    if (head !== undefined && head.position !== this.graph.lastSeq)
      throw new Error(`The head is at ${head.position}, the last record at ${this.graph.lastSeq}.`)
  }

  /** How often an event of the simulation is there. */
  count(token: string): Counted {
    const stated = [...this.statements.values()].filter((one) => one.token === token)
    const first = stated.filter(({ isFirst }) => isFirst)
    return {
      first: first.length,
      repeated: stated.length - first.length,
      memoryId: first[0]?.memoryId,
    }
  }

  async #apply({ records, position, count }: Entry, isNew: boolean): Promise<void> {
    if (isNew && records.length !== count) throw new Error(`The entry at ${position} was not written whole.`)
    for (const record of records) {
      if (record.seq <= this.graph.lastSeq) throw new Error(`The position ${record.seq} was given twice.`)
      if (record.recordedAt < this.graph.lastRecordedAt) throw new Error(`Time went back at ${record.seq}.`)
      if (!isEvent(record)) {
        this.graph.apply(record)
        continue
      }
      this.#checkOrder(record)
      // Events that were written together were decided before any of them was applied; the last word is the same.
      if (isNew) await this.#checkDecisions(record)
      this.graph.apply(record)
      if (isNew)
        this.receipts.set(
          `${record.id} ${record.place}`,
          receiptOf(record, this.graph.claims, (id) => this.graph.fields(id)),
        )
      const { payload } = this.graph.rows.get(record.id)
      const token = tokenOf(payload)
      this.seen.set(record.place, (this.seen.get(record.place) ?? new Set()).add(record.id))
      this.statements.set(record.place, {
        place: record.place,
        memoryId: record.id,
        isFirst: record.op === 'recorded',
        token,
      })
    }
  }

  #checkOrder(record: EventRecord): void {
    const { id, place, op } = record
    if (place <= this.graph.lastPlace) throw new Error(`The place ${place} was given twice.`)
    if (op === 'sighted') return
    if (id <= (this.graph.lastId ?? '')) throw new Error(`The id ${id} is not behind those before it.`)
    const { context: contextId, kind: eventKind, payload } = record
    const { key } = contentOf({ contextId, eventKind, payload })
    const same = this.#contents.get(key)
    if (same !== undefined) throw new Error(`${id} says the same as ${same}, and is not a repeat of it.`)
    this.#contents.set(key, id)
  }

  async #checkDecisions(record: EventRecord): Promise<void> {
    const { decisions = NOTHING_DECIDED, ...bare } = record
    const { decisions: expected = NOTHING_DECIDED } = await decideNext(this.graph, bare)
    if (unordered(decisions) !== unordered(expected))
      throw new Error(
        `At ${record.seq} it was decided ${JSON.stringify(decisions)}, not ${JSON.stringify(expected)}.`,
      )
  }
}

/** What was decided, whatever the order of what it replaces. */
function unordered({ opposes, ...rest }: Decisions): string {
  return JSON.stringify({ ...rest, opposes: opposes.map((one) => JSON.stringify(one)).sort() })
}

/** The word that names an event of the simulation; no other event holds it. */
export function tokenOf(payload: Json | string): string {
  return /zq\d+x/.exec(typeof payload === 'string' ? payload : JSON.stringify(payload))?.[0] ?? ''
}

function newGraph(): Graph {
  return new Graph(1, new TextCache())
}
