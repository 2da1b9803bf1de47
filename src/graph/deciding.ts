import { decidedAs, statementOf } from '../domain/events/recording.js'
import { type Filed, judgedByReading } from '../domain/judgement/judged-by-text.js'
import { type Reading, readPayload } from '../domain/judgement/judgement.js'
import type { ContextId, MemoryId, Receipt } from '../domain/model.js'
import { Changes } from '../domain/trust/claims/changes.js'
import type { Judgement } from '../domain/trust/claims/claims.js'
import { decide } from '../domain/trust/decide/decide.js'
import { fieldsIn, type RecordFields } from '../domain/trust/fields.js'
import { replay } from '../domain/trust/record.js'
import { nextTurn } from '../loop/next-turn.js'
import type { Turn } from '../loop/yielding.js'
import type { Graph } from './graph.js'
import type { EventRecord, Recorded } from './records.js'
import { affectsOnlyItself, receiptOf } from './views.js'

const SLICE_MS = 10

/** Thrown when a slice is over. The verdicts so far are cached, and the rules run again. */
class Paused extends Error {}

type Verdicts<T> = Map<MemoryId, Map<MemoryId, T>>

/**
 * A judgement that yields to the event loop. An event may be compared with a hundred thousand memories, and the rules are
 * synchronous: so when a slice is over, they are interrupted by an error and run again with the cached verdicts.
 */
export class PausedJudgement implements Judgement {
  readonly #judgement: Judgement
  readonly #same: Verdicts<boolean> = new Map()
  readonly #agreeing: Verdicts<boolean> = new Map()
  readonly #likeness: Verdicts<number> = new Map()
  readonly #fields = new Map<MemoryId, RecordFields | undefined>()
  #isPausing = false
  /** The end of the slice; set at its first new verdict. */
  #until: number | undefined

  constructor(judgement: Judgement) {
    this.#judgement = judgement
  }

  /** Runs `ask` in slices. It may run several times, so it must change nothing before it has all verdicts. */
  async inSlices<T>(ask: () => T): Promise<T> {
    for (;;) {
      this.#isPausing = true
      this.#until = undefined
      try {
        return ask()
      } catch (error) {
        if (!(error instanceof Paused)) throw error
      } finally {
        this.#isPausing = false
      }
      await nextTurn()
    }
  }

  /** Clears the cache: the verdicts on one event are seldom useful for the next. */
  forget(): void {
    this.#same.clear()
    this.#agreeing.clear()
    this.#likeness.clear()
    this.#fields.clear()
  }

  fieldsOf(id: MemoryId): RecordFields | undefined {
    if (this.#fields.has(id)) return this.#fields.get(id)
    this.#pauseIfDue()
    const fields = this.#judgement.fieldsOf(id)
    this.#fields.set(id, fields)
    return fields
  }

  likeness(a: MemoryId, b: MemoryId): number {
    return this.#verdict(this.#likeness, a, b, () => this.#judgement.likeness(a, b))
  }

  mayReplace(later: MemoryId, earlier: MemoryId): boolean {
    return this.#judgement.mayReplace(later, earlier)
  }

  sameThing(a: MemoryId, b: MemoryId): boolean {
    return this.#verdict(this.#same, a, b, () => this.#judgement.sameThing(a, b))
  }

  saysTheSame(a: MemoryId, b: MemoryId): boolean {
    return this.#verdict(this.#agreeing, a, b, () => this.#judgement.saysTheSame(a, b))
  }

  saysMuchMore(earlier: MemoryId, later: MemoryId): boolean {
    return this.#judgement.saysMuchMore(earlier, later)
  }

  #verdict<T>(verdicts: Verdicts<T>, a: MemoryId, b: MemoryId, judge: () => T): T {
    const ofA = verdicts.get(a) ?? new Map<MemoryId, T>()
    verdicts.set(a, ofA)
    const cached = ofA.get(b)
    if (cached !== undefined) return cached
    this.#pauseIfDue()
    const verdict = judge()
    ofA.set(b, verdict)
    return verdict
  }

  #pauseIfDue(): void {
    if (!this.#isPausing) return
    const now = performance.now()
    this.#until ??= now + SLICE_MS
    if (now > this.#until) throw new Paused()
  }
}

/** A record with its decisions, and the receipt for its sender. */
export interface Decided {
  readonly record: EventRecord
  readonly receipt: Receipt
}

/** Decides what new events do, one after the other, without changing the graph. */
export class Deciding {
  readonly #graph: Graph
  readonly #new = new Map<MemoryId, Recorded>()
  readonly #changes: Changes
  readonly #judgement: PausedJudgement

  constructor(graph: Graph) {
    this.#graph = graph
    this.#changes = new Changes(graph.claims)
    this.#judgement = new PausedJudgement(judgementOf(graph, (id) => filedAs(this.#new.get(id))))
  }

  /** Decides the records of one append in slices. Each decision takes those before it into account. */
  async decideAll(records: readonly EventRecord[], yielding: Turn): Promise<readonly Decided[]> {
    for (const record of records) if (record.op === 'recorded') this.#new.set(record.id, record)
    const changes = new Changes(this.#changes)
    const all: Decided[] = []
    for (const record of records) {
      const statement = statementOf(record, this.#contextOf(record))
      const decideOne = () => decide(statement, changes, this.#judgement)
      const decisions = affectsOnlyItself(record) ? decideOne() : await this.#judgement.inSlices(decideOne)
      const turn = yielding()
      if (turn !== undefined) await turn
      replay({ ...statement, decisions }, changes)
      const decided = decidedAs(record, decisions)
      all.push({
        record: decided,
        receipt: receiptOf(decided, changes, (id) => this.#judgement.fieldsOf(id)),
      })
      this.#judgement.forget()
    }
    this.#changes.take(changes)
    return all
  }

  #contextOf({ id }: EventRecord): ContextId {
    return this.#new.get(id)?.context ?? this.#graph.rows.get(id).context.id
  }
}

/** Decides what the next record of a graph does, if it was recorded without decisions. */
export async function decideNext(graph: Graph, record: EventRecord): Promise<EventRecord> {
  const isFirst = record.op === 'recorded'
  if (isFirst && record.links.length === 0) return record
  const judgement = new PausedJudgement(
    judgementOf(graph, (id) => (isFirst && id === record.id ? filedAs(record) : undefined)),
  )
  const contextId = isFirst ? record.context : graph.rows.get(record.id).context.id
  const statement = statementOf(record, contextId)
  return decidedAs(record, await judgement.inSlices(() => decide(statement, graph.claims, judgement)))
}

function filedAs(record: Recorded | undefined): Filed | undefined {
  return record && { payload: record.payload, contextId: record.context }
}

/** Judges the memories of a graph, and new ones, which `filed` returns. */
export function judgementOf(
  graph: Graph,
  filed: (id: MemoryId) => Filed | undefined = () => undefined,
): Judgement {
  const readings = new Map<MemoryId, Reading>()
  const readingOf = (id: MemoryId) => {
    const cached = readings.get(id)
    const unapplied = cached === undefined ? filed(id) : undefined
    if (unapplied === undefined) return cached ?? graph.reading(id)
    const reading = readPayload(unapplied.payload)
    readings.set(id, reading)
    return reading
  }
  return judgedByReading(readingOf, (id) => {
    const unapplied = filed(id)
    return unapplied === undefined ? graph.fields(id) : fieldsIn(unapplied.payload, unapplied.contextId)
  })
}
