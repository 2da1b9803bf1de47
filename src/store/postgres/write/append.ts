import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import { Recorder } from '../../../domain/events/recording.js'
import type { GraphId, NewMemory, Receipt } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import { assess } from '../../../domain/trust/trust.js'
import { type Append, GroupCommit, type Outcome } from '../../group-commit.js'
import type { EventPath, Idempotency } from '../../store.js'
import { type Database, Undo } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import { lockGraph } from '../schema/graph-row.js'
import { type IndexedRecord, toIndexed } from '../schema/rows.js'
import { assessments } from '../trust/assessment.js'
import { Change } from './change.js'
import { flush } from './flush.js'
import { loadGraphSoFar } from './graph-so-far.js'
import { claim, keep, replayed } from './idempotency.js'
import { load } from './load.js'

/** What recording needs besides the database. */
interface WritePorts extends ClockAndRandom {
  readonly texts: TextCache
}

/** The group commits of this process: one for each graph that is being written to. */
export class GraphCommits {
  readonly #database: Database
  readonly #ports: WritePorts
  readonly #commits = new Map<GraphId, GroupCommit>()

  constructor(database: Database, ports: WritePorts) {
    this.#database = database
    this.#ports = ports
  }

  append(
    graphId: GraphId,
    events: readonly NewMemory[],
    at: EventPath,
    once: Idempotency | undefined,
  ): Promise<readonly Receipt[]> {
    const known = this.#commits.get(graphId)
    if (known !== undefined) return known.append(events, at, once)
    const commit = new GroupCommit((appends) => appendAll(this.#database, graphId, appends, this.#ports))
    this.#commits.set(graphId, commit)
    const receipts = commit.append(events, at, once)
    this.#forgetWhenIdle(graphId, commit)
    return receipts
  }

  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#commits.values(), (commit) => commit.settled()))
  }

  async #forgetWhenIdle(graphId: GraphId, commit: GroupCommit): Promise<void> {
    while (!commit.idle) await commit.settled()
    this.#commits.delete(graphId)
  }
}

/** Records several appends in one transaction, in order; each is recorded as a whole or refused as a whole. */
async function appendAll(
  database: Database,
  graphId: GraphId,
  appends: readonly Append[],
  ports: WritePorts,
): Promise<Outcome[]> {
  const outcomes = new Map<Append, Outcome>()
  const all = () => appends.map((append) => outcomes.get(append) ?? { error: new Error('No outcome.') })
  await database
    .write(async (session) => {
      outcomes.clear()
      await record(session, graphId, appends, ports, outcomes)
      // Appends that are all refused must not make a graph.
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
  ports: WritePorts,
  outcomes: Map<Append, Outcome>,
): Promise<void> {
  const refused = await claim(session, graphId, appends)
  for (const [append, error] of refused) outcomes.set(append, { error })
  const graph = await lockGraph(session, graphId)
  const due: Append[] = []
  for (const append of appends) {
    if (outcomes.has(append)) continue
    const outcome = append.once && (await replayed(session, graphId, append.once, ports.now))
    if (outcome === undefined) due.push(append)
    else outcomes.set(append, outcome)
  }
  const wanted = due.flatMap(({ events }) => events)
  const { soFar, contentOf } = await loadGraphSoFar(session, graphId, graph, wanted)
  const recorder = new Recorder(soFar, contentOf, ports)
  const drafted: { append: Append; records: IndexedRecord[] }[] = []
  for (const append of due)
    try {
      drafted.push({
        append,
        records: recorder.recordAll(append.events, append.at).map((draft) => toIndexed(draft, ports.texts)),
      })
    } catch (error) {
      outcomes.set(append, { error })
    }
  const records = drafted.flatMap(({ records }) => records)
  if (records.length === 0) return
  const change = new Change(await load(session, graphId, graph, records, ports.texts))
  for (const one of records) change.apply(one)
  await flush(session, graphId, change)
  const receiptOf = await receipts(session, graphId, change, records)
  for (const { append, records } of drafted) {
    const given = records.map(receiptOf)
    outcomes.set(append, { receipts: given })
    if (append.once !== undefined) await keep(session, graphId, append.once, given, ports.now)
  }
}

/** The receipt of each record, by what the graph held when it had been applied and the next had not. */
async function receipts(
  session: Session,
  graphId: GraphId,
  change: Change,
  records: readonly IndexedRecord[],
): Promise<(record: IndexedRecord) => Receipt> {
  const again = records.flatMap((record) => {
    const row = record.op === 'sighted' ? change.memories.get(record.id) : undefined
    return row === undefined ? [] : [{ seq: row.seq, asOf: record.seq }]
  })
  const confidences = new Map<number, number>()
  for (const [i, found] of (await assessments(session, graphId, again)).entries())
    confidences.set(again[i]?.asOf ?? 0, found.assessment.confidence)
  return (record) => ({
    memoryId: record.id,
    contextId: change.memories.get(record.id)?.context.id ?? '',
    status: record.op === 'recorded' ? 'recorded' : 'duplicate',
    confidence:
      record.op === 'recorded' ? assess(record.source, []).confidence : (confidences.get(record.seq) ?? 0),
  })
}
