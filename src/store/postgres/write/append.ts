import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import type { GraphId, NewMemory, Receipt } from '../../../domain/model.js'
import { assess } from '../../../domain/trust/trust.js'
import type { EventPath, Idempotency } from '../../store.js'
import { type Database, Undo } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { lockGraph } from '../schema/graph-row.js'
import type { EventRecord } from '../schema/rows.js'
import { assessments } from '../trust/assessment.js'
import { Change } from './change.js'
import { Draft } from './draft.js'
import { flush } from './flush.js'
import { claim, keep, replayed } from './idempotency.js'
import { load } from './load.js'

export interface Append {
  readonly events: readonly NewMemory[]
  readonly at: EventPath
  readonly once: Idempotency | undefined
}

export type Outcome = { readonly receipts: readonly Receipt[] } | { readonly error: unknown }

/** Records several appends in one transaction, in order; each is recorded as a whole or refused as a whole. */
export async function appendAll(
  database: Database,
  graphId: GraphId,
  appends: readonly Append[],
  chance: ClockAndRandom,
): Promise<Outcome[]> {
  const outcomes = new Map<Append, Outcome>()
  const all = () => appends.map((append) => outcomes.get(append) ?? { error: new Error('No outcome.') })
  await database
    .write(async (session) => {
      outcomes.clear()
      await record(session, graphId, appends, chance, outcomes)
      // What only refuses or repeats must not make a graph.
      if (![...outcomes.values()].some((outcome) => 'receipts' in outcome)) throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return all()
}

async function record(
  session: Session,
  graphId: GraphId,
  appends: readonly Append[],
  chance: ClockAndRandom,
  outcomes: Map<Append, Outcome>,
): Promise<void> {
  const refused = await claim(session, graphId, appends)
  for (const [append, error] of refused) outcomes.set(append, { error })
  const graph = await lockGraph(session, graphId)
  const due: Append[] = []
  for (const append of appends) {
    if (outcomes.has(append)) continue
    const outcome = append.once && (await replayed(session, graphId, append.once, chance.now))
    if (outcome === undefined) due.push(append)
    else outcomes.set(append, outcome)
  }
  const draft = await Draft.begin(
    session,
    graphId,
    graph,
    due.flatMap(({ events }) => events),
    chance,
  )
  const drafted: { append: Append; records: EventRecord[] }[] = []
  for (const append of due)
    try {
      drafted.push({ append, records: draft.add(append.events, append.at) })
    } catch (error) {
      outcomes.set(append, { error })
    }
  const records = drafted.flatMap(({ records }) => records)
  if (records.length === 0) return
  const change = new Change(await load(session, graphId, graph, records))
  for (const one of records) change.apply(one)
  await flush(session, graphId, change)
  const receiptOf = await receipts(session, graphId, change, records)
  for (const { append, records } of drafted) {
    const given = records.map(receiptOf)
    outcomes.set(append, { receipts: given })
    if (append.once !== undefined) await keep(session, graphId, append.once, given, chance.now)
  }
}

/** What each record is answered with, as things stood when it had been applied and the next had not. */
async function receipts(
  session: Session,
  graphId: GraphId,
  change: Change,
  records: readonly EventRecord[],
): Promise<(record: EventRecord) => Receipt> {
  const again = records.flatMap((record) => {
    const row = record.op === 'sighted' ? change.memories.get(record.id) : undefined
    return row === undefined ? [] : [{ seq: row.seq, asOf: record.seq }]
  })
  const standing = new Map<number, number>()
  for (const [i, found] of (await assessments(session, graphId, again)).entries())
    standing.set(again[i]?.asOf ?? 0, found.standing.confidence)
  return (record) => ({
    memoryId: record.id,
    contextId: change.memories.get(record.id)?.context.id ?? '',
    status: record.op === 'recorded' ? 'recorded' : 'duplicate',
    confidence:
      record.op === 'recorded' ? assess(record.source, []).confidence : (standing.get(record.seq) ?? 0),
  })
}
