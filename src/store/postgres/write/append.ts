import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import { decidedAs, Recorder } from '../../../domain/events/recording.js'
import type { GraphId, NewMemory, Receipt } from '../../../domain/model.js'
import type { TextCache } from '../../../domain/text-cache.js'
import { hundredths } from '../../../domain/trust/claims/assess.js'
import { NOTHING_DECIDED, type Recorded } from '../../../domain/trust/claims/types.js'
import { effectsOf } from '../../../domain/trust/record.js'
import { type Append, GroupCommit, type Outcome } from '../../../log/group-commit.js'
import { createYielding } from '../../../loop/yielding.js'
import type { EventPath, Idempotency } from '../../store.js'
import { type Database, Undo } from '../connection/database.js'
import type { Session } from '../connection/session.js'
import type { HashedContent } from '../schema/document.js'
import { lockGraph } from '../schema/graph-row.js'
import { type IndexedRecord, toIndexedAll } from '../schema/rows.js'
import { ClaimsSoFar } from '../trust/claims-so-far.js'
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
    return this.#with(graphId, (commit) => commit.append(events, at, once))
  }

  /** Does `work` between two commits: what would wait for the same graph holds no connection while it does. */
  exclusive<T>(graphId: GraphId, work: () => Promise<T>): Promise<T> {
    return this.#with(graphId, (commit) => commit.exclusive(work))
  }

  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#commits.values(), (commit) => commit.settled()))
  }

  #with<T>(graphId: GraphId, ask: (commit: GroupCommit) => Promise<T>): Promise<T> {
    const known = this.#commits.get(graphId)
    if (known !== undefined) return ask(known)
    const commit = new GroupCommit((appends) => appendAll(this.#database, graphId, appends, this.#ports))
    this.#commits.set(graphId, commit)
    const answer = ask(commit)
    this.#forgetWhenIdle(graphId, commit)
    return answer
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
    .write(
      async (session) => {
        outcomes.clear()
        await record(session, graphId, appends, ports, outcomes)
        // Appends that are all refused must not make a graph.
        if (![...outcomes.values()].some((outcome) => 'receipts' in outcome)) throw new Undo()
      },
      { growing: true },
    )
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
      drafted.push({ append, records: await draft(append, recorder, ports.texts) })
    } catch (error) {
      outcomes.set(append, { error })
    }
  const records = drafted.flatMap(({ records }) => records)
  if (records.length === 0) return
  const [state, claims] = await Promise.all([
    load(session, graphId, graph, records),
    ClaimsSoFar.load(session, graphId, graph.last_seq, records),
  ])
  const change = new Change(state)
  const recorded: Recorded[] = []
  const receipts = new Map<IndexedRecord, Receipt>()
  for (const one of records) {
    const statement = await claims.record(one)
    recorded.push(statement)
    change.apply(decidedAs(one, statement.decisions))
    receipts.set(one, receiptOf(statement, claims))
  }
  await flush(session, graphId, change, claims, recorded)
  for (const { append, records } of drafted) {
    const given = records.flatMap((one) => receipts.get(one) ?? [])
    outcomes.set(append, { receipts: given })
    if (append.once !== undefined) await keep(session, graphId, append.once, given, ports.now)
  }
}

/** The records of one append, in order; refused as a whole, the recorder being as it was. */
async function draft(
  { events, at }: Append,
  recorder: Recorder<HashedContent>,
  texts: TextCache,
): Promise<IndexedRecord[]> {
  const yielding = createYielding()
  for (const [i, event] of events.entries()) {
    recorder.refuse(event, at(i))
    await yielding()
  }
  return toIndexedAll(recorded(events, recorder), texts)
}

/** One at a time, as they are taken. */
function* recorded(events: readonly NewMemory[], recorder: Recorder<HashedContent>) {
  for (const event of events) yield recorder.record(event)
}

/** By what the graph holds when the event has been applied and the next has not. */
export function receiptOf(recorded: Recorded, { changes }: ClaimsSoFar): Receipt {
  const claim = changes.get(recorded.claim)
  return {
    memoryId: recorded.claim,
    contextId: recorded.contextId,
    status: recorded.first ? 'recorded' : 'duplicate',
    place: recorded.place,
    confidence: claim === undefined ? 0 : hundredths(claim) / 100,
    bearsOn: (recorded.decisions === NOTHING_DECIDED ? [] : effectsOf(recorded)).map(
      ({ memory, effect }) => ({
        memoryId: memory,
        contextId: changes.get(memory)?.contextId ?? '',
        effect,
      }),
    ),
  }
}
