import { decisionsOf, type EventRecord, statementOf } from '../../../domain/events/recording.js'
import { isMemoryId } from '../../../domain/ids.js'
import { judgedByReading } from '../../../domain/judgement/judged-by-text.js'
import type { ContextId, GraphId, MemoryId } from '../../../domain/model.js'
import { Changes } from '../../../domain/trust/claims/changes.js'
import type { Loaded } from '../../../domain/trust/claims/claims.js'
import {
  type Claim,
  freshClaim,
  NOTHING_DECIDED,
  type Recorded,
  type Statement,
} from '../../../domain/trust/claims/types.js'
import { check } from '../../../domain/trust/decide/check.js'
import { missingFor, type Needs, record, replay } from '../../../domain/trust/record.js'
import { PausedJudgement } from '../../../graph/deciding.js'
import { createYielding } from '../../../loop/yielding.js'
import type { Session } from '../connection/session.js'
import { claimOf } from '../schema/claims.js'
import { type ClaimAndLength, loadClaims, loadOpponents, loadStanding, memoryIdsIn } from './load-claims.js'
import { Readings } from './readings.js'
import { type Step, stepsOf } from './step.js'

/**
 * The claims of a graph as some records change them, loaded as the rules ask for them. What the records name is loaded
 * beforehand and at once, so that most records ask for nothing more.
 */
export class ClaimsSoFar {
  readonly changes: Changes
  /** What each of the records changed, in order; those left out changed nothing that is not plain. */
  readonly steps: Step[] = []
  readonly #session: Session
  readonly #graphId: GraphId
  readonly #lastSeq: number
  /** As the database has them; undefined for one that it does not hold. */
  readonly #claims = new Map<MemoryId, Claim | undefined>()
  readonly #opponents = new Map<MemoryId, readonly MemoryId[]>()
  readonly #standing = new Map<ContextId, readonly MemoryId[]>()
  readonly #readings: Readings
  readonly #judgement: PausedJudgement
  /** A judgement pauses within one event; of a thousand events, each may be too short for that. */
  readonly #yielding = createYielding()
  readonly #loaded: Loaded

  private constructor(session: Session, graphId: GraphId, lastSeq: number) {
    this.#session = session
    this.#graphId = graphId
    this.#lastSeq = lastSeq
    const changes = new Changes({
      get: (id) => this.#claims.get(id),
      opponents: (id) => this.#opponents.get(id) ?? [],
      standing: (id) => this.#standing.get(id) ?? [],
    })
    this.changes = changes
    this.#loaded = {
      get: (id) => changes.get(id),
      opponents: (id) =>
        this.#opponents.has(id) || this.#claims.get(id) === undefined ? changes.opponents(id) : undefined,
      standing: (id) => (this.#standing.has(id) ? changes.standing(id) : undefined),
    }
    this.#readings = new Readings(session, graphId)
    this.#judgement = new PausedJudgement(judgedByReading((id) => this.#readings.of(id)))
  }

  /** The records come after `lastSeq`. */
  static async load(
    session: Session,
    graphId: GraphId,
    lastSeq: number,
    records: readonly EventRecord[],
  ): Promise<ClaimsSoFar> {
    const soFar = new ClaimsSoFar(session, graphId, lastSeq)
    const named = new Set<MemoryId>()
    const contexts = new Set<ContextId>()
    for (const one of records) {
      if (one.op === 'sighted') named.add(one.id)
      for (const { kind, target } of one.links)
        if (isMemoryId(target)) named.add(target)
        else if (kind !== 'related-to' && one.decisions === undefined) contexts.add(target)
      const { bears, opposes } = decisionsOf(one)
      for (const id of [...bears.flat(), ...opposes.map(({ against }) => against)]) named.add(id)
    }
    if (lastSeq === 0) for (const id of contexts) soFar.#standing.set(id, [])
    else await soFar.#load({ claims: memoryIdsIn(named), opponents: [], contexts: [...contexts] })
    return soFar
  }

  /** The claim as it was before these records. */
  before(id: MemoryId): Claim | undefined {
    return this.#claims.get(id)
  }

  /** Decides what a record does; later records see it. */
  async record(one: EventRecord): Promise<Recorded> {
    await this.#yielding()
    const statement = this.#statementOf(one)
    if (isPlain(statement)) return this.#keepPlain(statement)
    // Each verdict is asked for twice, once to find out what has to be loaded.
    await this.#settle(statement, (changes) => record(statement, changes, this.#judgement))
    const recorded = await this.#judging(() =>
      this.#step(statement, (changes) => record(statement, changes, this.#judgement)),
    )
    this.#judgement.forget()
    return recorded
  }

  /** Applies a record as it was decided before. */
  async replay(one: EventRecord): Promise<Recorded> {
    await this.#yielding()
    const statement = this.#statementOf(one)
    if (isPlain(statement) && one.decisions === undefined) return this.#keepPlain(statement)
    const recorded = { ...statement, decisions: decisionsOf(one) }
    await this.#settle(recorded, (changes) => replay(recorded, changes))
    this.#step(statement, (changes) => replay(recorded, changes))
    return recorded
  }

  /** Why a record cannot have been decided so; undefined when it can. */
  async check(one: EventRecord): Promise<string | undefined> {
    const recorded = { ...this.#statementOf(one), decisions: decisionsOf(one) }
    if (isPlain(recorded) && one.decisions === undefined) return undefined
    await this.#settle(recorded, (changes) => check(recorded, changes))
    return check(recorded, this.changes)
  }

  /** Most events: what the rules would come to, without asking them. */
  #keepPlain(statement: Statement): Recorded {
    this.changes.put(freshClaim(statement))
    return { ...statement, decisions: NOTHING_DECIDED }
  }

  /** Keeps apart what one event changes. */
  #step<T>({ place }: Statement, work: (changes: Changes) => T): T {
    const changes = new Changes(this.changes)
    const result = work(changes)
    this.steps.push(...stepsOf(place, changes, (id) => this.changes.get(id)))
    this.changes.take(changes)
    return result
  }

  #statementOf(one: EventRecord): Statement {
    if (one.op === 'sighted') return statementOf(one, this.changes.get(one.id)?.contextId ?? '')
    this.#readings.add(one.id, one.payload)
    return statementOf(one, one.context)
  }

  async #settle(statement: Statement, work: (changes: Changes) => unknown): Promise<void> {
    for (;;) {
      const needs = await this.#judging(() => missingFor(statement, this.#loaded, work))
      // A claim that the database does not hold is asked for once: the work then goes without.
      const claims = needs?.claims.filter((id) => !this.#claims.has(id)) ?? []
      if (needs === undefined || claims.length + needs.opponents.length + needs.contexts.length === 0) return
      await this.#load({ ...needs, claims })
    }
  }

  async #load({ claims, opponents, contexts }: Needs): Promise<void> {
    const [rows, open, standing] = await Promise.all([
      loadClaims(this.#session, this.#graphId, claims, this.#lastSeq),
      loadOpponents(this.#session, this.#graphId, opponents),
      loadStanding(this.#session, this.#graphId, contexts, this.#lastSeq),
    ])
    for (const row of [...rows, ...standing]) this.#keep(row)
    for (const id of claims) if (!this.#claims.has(id)) this.#claims.set(id, undefined)
    for (const [id, others] of open) this.#opponents.set(id, others)
    const byContext = new Map<ContextId, MemoryId[]>(contexts.map((id) => [id, []]))
    for (const { context_id, memory_id } of standing) byContext.get(context_id)?.push(memory_id)
    for (const [id, memories] of byContext) this.#standing.set(id, memories)
  }

  #keep(row: ClaimAndLength): void {
    if (this.#claims.get(row.memory_id) !== undefined) return
    this.#claims.set(row.memory_id, claimOf(row))
    this.#readings.expect(row.memory_id, row.letters)
  }

  /** What the rules say; `ask` must change nothing before it has all verdicts. */
  #judging<T>(ask: () => T): Promise<T> {
    return this.#readings.loading(() => this.#judgement.inSlices(ask))
  }
}

/** A first event without links decides nothing. */
function isPlain({ first, links }: Statement): boolean {
  return first && links.length === 0
}
