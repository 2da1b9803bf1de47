import { decidedAs, statementOf } from '../../../domain/events/recording.js'
import { judgedByReading } from '../../../domain/judgement/judged-by-text.js'
import { type Reading, readPayload } from '../../../domain/judgement/judgement.js'
import type { ContextId, JsonObject, MemoryId } from '../../../domain/model.js'
import { Changes } from '../../../domain/trust/claims/changes.js'
import type { Judgement } from '../../../domain/trust/claims/claims.js'
import { decide } from '../../../domain/trust/decide/decide.js'
import { replay } from '../../../domain/trust/record.js'
import { PausedJudgement } from '../../paused-judgement.js'
import type { EventRecord, Recorded } from '../../records.js'
import { isAlone } from '../answers/standing.js'
import type { Graph } from './graph.js'

/** Decides what events do that are not in the graph yet, one after the other, without touching it. */
export class Deciding {
  readonly #graph: Graph
  readonly #new = new Map<MemoryId, Recorded>()
  readonly #changes: Changes
  readonly #judgement: PausedJudgement

  constructor(graph: Graph) {
    this.#graph = graph
    this.#changes = new Changes(graph.claims)
    this.#judgement = new PausedJudgement(judgementOf(graph, (id) => this.#new.get(id)?.payload))
  }

  /** The records of one append with what was decided of them; later ones build on it. Works in slices. */
  async decideAll(
    records: readonly EventRecord[],
    yielding: () => Promise<void> | undefined,
  ): Promise<EventRecord[]> {
    for (const record of records) if (record.op === 'recorded') this.#new.set(record.id, record)
    const changes = new Changes(this.#changes)
    const decided: EventRecord[] = []
    for (const record of records) {
      const statement = statementOf(record, this.#contextOf(record))
      const deciding = () => decide(statement, changes, this.#judgement)
      const decisions = isAlone(record) ? deciding() : await this.#judgement.inSlices(deciding)
      this.#judgement.forget()
      const turn = yielding()
      if (turn !== undefined) await turn
      replay({ ...statement, decisions }, changes)
      decided.push(decidedAs(record, decisions))
    }
    this.#changes.take(changes)
    return decided
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
    judgementOf(graph, (id) => (isFirst && id === record.id ? record.payload : undefined)),
  )
  const contextId = isFirst ? record.context : graph.rows.get(record.id).context.id
  const statement = statementOf(record, contextId)
  return decidedAs(record, await judgement.inSlices(() => decide(statement, graph.claims, judgement)))
}

/** The judgement of the memories of a graph, and of those that `payloadOf` knows. */
export function judgementOf(
  graph: Graph,
  payloadOf: (id: MemoryId) => JsonObject | undefined = () => undefined,
): Judgement {
  const fresh = new Map<MemoryId, Reading>()
  return judgedByReading((id) => {
    const known = fresh.get(id)
    const payload = known === undefined ? payloadOf(id) : undefined
    if (payload === undefined) return known ?? graph.reading(id)
    const reading = readPayload(payload)
    fresh.set(id, reading)
    return reading
  })
}
