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
import { isAlone, receiptOf } from './views.js'

const SLICE_MS = 10

/** Thrown when a slice is over: the verdicts so far are remembered, and the rules are asked again. */
class Paused extends Error {}

type Verdicts<T> = Map<MemoryId, Map<MemoryId, T>>

/**
 * A judgement that lets others have their turn: an event may be held against a hundred thousand memories, and the rules,
 * which are pure, ask for all verdicts on it in one go.
 */
export class PausedJudgement implements Judgement {
  readonly #judgement: Judgement
  readonly #same: Verdicts<boolean> = new Map()
  readonly #agreeing: Verdicts<boolean> = new Map()
  readonly #likeness: Verdicts<number> = new Map()
  readonly #said = new Map<MemoryId, RecordFields | undefined>()
  #isPausing = false
  /** When the slice is over, from its first new verdict on. */
  #until: number | undefined

  constructor(judgement: Judgement) {
    this.#judgement = judgement
  }

  /** What the rules say by this judgement; `ask` must change nothing before it has all verdicts. */
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

  /** Forgets all verdicts: those on one event are seldom of use for the next. */
  forget(): void {
    this.#same.clear()
    this.#agreeing.clear()
    this.#likeness.clear()
    this.#said.clear()
  }

  fieldsOf(id: MemoryId): RecordFields | undefined {
    if (this.#said.has(id)) return this.#said.get(id)
    this.#pauseIfDue()
    const said = this.#judgement.fieldsOf(id)
    this.#said.set(id, said)
    return said
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
    const known = ofA.get(b)
    if (known !== undefined) return known
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

/** A record with what was decided of it, and what its sender is answered with. */
export interface Decided {
  readonly record: EventRecord
  readonly receipt: Receipt
}

/** Decides what events do that are not in the graph yet, one after the other, without touching it. */
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

  /** The records of one append with what was decided of them, and their receipts; later ones build on it. Works in slices. */
  async decideAll(records: readonly EventRecord[], yielding: Turn): Promise<readonly Decided[]> {
    for (const record of records) if (record.op === 'recorded') this.#new.set(record.id, record)
    const changes = new Changes(this.#changes)
    const all: Decided[] = []
    for (const record of records) {
      const statement = statementOf(record, this.#contextOf(record))
      const deciding = () => decide(statement, changes, this.#judgement)
      const decisions = isAlone(record) ? deciding() : await this.#judgement.inSlices(deciding)
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

/** Decides what the next record of a graph does: one that comes from a time or a program that did not decide it. */
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

/** The judgement of the memories of a graph, and of those that `filed` knows. */
export function judgementOf(
  graph: Graph,
  filed: (id: MemoryId) => Filed | undefined = () => undefined,
): Judgement {
  const fresh = new Map<MemoryId, Reading>()
  const readingOf = (id: MemoryId) => {
    const known = fresh.get(id)
    const own = known === undefined ? filed(id) : undefined
    if (own === undefined) return known ?? graph.reading(id)
    const reading = readPayload(own.payload)
    fresh.set(id, reading)
    return reading
  }
  return judgedByReading(readingOf, (id) => {
    const own = filed(id)
    return own === undefined ? graph.fields(id) : fieldsIn(own.payload, own.contextId)
  })
}
