import { ofDryRun, Recorder } from '../domain/events/recording.js'
import { contentOf } from '../domain/events/same-event.js'
import { Failure, graphNotFound } from '../domain/failure.js'
import type { Erased, Erasure, GraphId, NewMemory, Receipt } from '../domain/model.js'
import { fieldsIn } from '../domain/trust/fields.js'
import { decideNext } from '../graph/deciding.js'
import type { Graph } from '../graph/graph.js'
import type { EventRecord, Idempotency } from '../graph/records.js'
import { changesBy, receiptOf } from '../graph/views.js'
import { createYielding } from '../loop/yielding.js'
import type { ErasedStatement, Feeds } from '../store/feeds.js'
import type { EventPath } from '../store/store.js'
import type { ClockWatch } from './clock-watch.js'
import { applyEntry, type Copy, type CopyPorts, emptyCopy, finishOpening, follow, openCopy } from './copy.js'
import { draftAll } from './drafts.js'
import { UnknownRecord } from './entries.js'
import { erasureOf, lostStatements, planErasure, statementsAt, statementsOf } from './erasure.js'
import { Behind, Diverged, type GraphLog, type Head, isSame, NewerVersion } from './graph-log.js'
import { type Append, GroupCommit, type Outcome } from './group-commit.js'

export interface OpenGraphPorts extends CopyPorts {
  readonly feeds: Feeds
  readonly clock: ClockWatch
  /** Throws if nothing can be recorded. */
  readonly refuseUnlessWritable: () => void
}

/** What an answer is made from. */
interface Version {
  readonly graph: Graph
  readonly lastSeq: number
  readonly unread: number
}

const INDEX_EVERY = 500
/** In characters of payloads. */
const MAX_BEHIND = 32_768
/** Fewer memories are indexed as quickly as a kept index is read. */
const MIN_KEPT = 2_000
/** How many bytes of memory a byte of the log takes, applied and indexed: measured, and rounded up. */
export const MEMORY_PER_BYTE = 4
/** After this many times behind other writers, they are kept out for one round. */
const MAX_BEHIND_TIMES = 2

/** One open graph: its copy in memory, which follows the log, and its writes, one after the other. */
export class OpenGraph {
  readonly graphId: GraphId
  readonly #ports: OpenGraphPorts
  readonly #writes: GroupCommit
  #copy: Copy
  #changing: Promise<unknown> | undefined
  #indexing: Promise<void> | undefined
  /** How many memories there were when the index last caught up. */
  #indexed: number
  #isClosed = false

  private constructor(graphId: GraphId, copy: Copy, ports: OpenGraphPorts) {
    this.graphId = graphId
    this.#ports = ports
    this.#copy = copy
    this.#indexed = copy.graph.memoryCount
    this.#writes = new GroupCommit((appends) => this.#commit(appends))
    ports.embedding?.add(copy.graph)
  }

  static async open(graphId: GraphId, ports: OpenGraphPorts): Promise<OpenGraph> {
    return new OpenGraph(graphId, await openCopy(graphId, ports), ports)
  }

  /** The graph of a copy that was made by an import. */
  static async of(graphId: GraphId, copy: Copy, ports: OpenGraphPorts): Promise<OpenGraph> {
    await finishOpening(graphId, copy, ports)
    return new OpenGraph(graphId, copy, ports)
  }

  /** The graph as it is now: after an erasure it is another object. */
  get graph(): Graph {
    return this.#copy.graph
  }

  get exists(): boolean {
    return this.#copy.head !== undefined
  }

  /** Until when questions have to wait, because they would see a part of a change; undefined when none has to. */
  get changing(): Promise<unknown> | undefined {
    return this.#changing
  }

  get idle(): boolean {
    return this.#writes.idle && this.#changing === undefined
  }

  /** About how many bytes of memory the graph takes. */
  get footprint(): number {
    return MEMORY_PER_BYTE * (this.#copy.head?.bytes ?? 0) + (this.graph.meanings?.footprint ?? 0)
  }

  get version(): Version {
    const { graph } = this
    return { graph, lastSeq: graph.lastSeq, unread: graph.unread() }
  }

  /** Is nothing recorded, erased or embedded since? */
  isStill({ graph, lastSeq, unread }: Version): boolean {
    const isSameGraph = graph === this.graph && graph.lastSeq === lastSeq
    return isSameGraph && this.#changing === undefined && graph.unread() === unread && !this.#isClosed
  }

  /**
   * Applies what any process had been told is durable when this was called. Our own writes are applied before they are
   * acknowledged, so on files there is never anything to do.
   */
  async follow(): Promise<void> {
    const head = await this.#ports.log.head(this.graphId)
    if (isSame(head, this.#copy.head)) return
    // A write of ours may be durable and not applied yet: it is applied before this begins.
    await this.#writes.exclusive(async () => {
      // Another read may have brought the copy there. One that is further may be of a tail that a failover lost.
      if (!isSame(head, this.#copy.head)) await this.#catchUp(this.#ports.log)
    })
  }

  /** Has the words of memories indexed that many questions would otherwise have to wait for. */
  indexIfDue(): void {
    const { indexes, memoryCount } = this.graph
    const isDue = memoryCount >= this.#indexed + INDEX_EVERY || indexes.behind > MAX_BEHIND
    if (this.#indexing !== undefined || !isDue) return
    this.#indexed = memoryCount
    // Kept whenever twice as many are in, so that all writing of them together costs about as much as the last time.
    this.#indexing = indexes
      .caughtUp()
      .then(() => this.#keepIndexes(indexes.savedCount))
      .finally(() => {
        this.#indexing = undefined
      })
  }

  async append(events: readonly NewMemory[], at: EventPath, once?: Idempotency): Promise<readonly Receipt[]> {
    this.#ports.refuseUnlessWritable()
    return this.#writes.append(events, at, once)
  }

  async dryRun(event: NewMemory, at: EventPath): Promise<Receipt> {
    for (;;) {
      await this.follow()
      await this.#changing
      const { graph } = this
      await graph.indexes.hashContents()
      const recorder = new Recorder(graph, contentOf, this.#ports.clockAndRandom)
      recorder.refuse(event, at(0))
      const record = await decideNext(graph, recorder.record(event).record)
      // Deciding gives way: something may have been recorded or erased meanwhile.
      if (graph !== this.graph || this.#changing !== undefined || record.seq !== graph.lastSeq + 1) continue
      const contextId = record.op === 'recorded' ? record.context : graph.rows.get(record.id).context.id
      return ofDryRun(
        receiptOf(record, changesBy(record, contextId, graph.claims), (id) =>
          id === record.id && record.op === 'recorded'
            ? fieldsIn(record.payload, contextId)
            : graph.fields(id),
        ),
      )
    }
  }

  /** The records after a sequence number that are in memory; undefined when some of them are not, or nobody has asked before. */
  recentAfter(place: number): readonly EventRecord[] | undefined {
    return this.#copy.recent.after(place, this.graph.lastPlace)
  }

  /** The head that the graph is at. Rejects if there is no graph. */
  head(): Head {
    if (this.#copy.head === undefined) throw graphNotFound(this.graphId)
    return this.#copy.head
  }

  erase(what: Erasure, isDryRun: boolean): Promise<Erased> {
    return this.#writes.exclusive(async () => {
      await this.#catchUp(this.#ports.log)
      for (let times = 0; ; times++) {
        try {
          return times < MAX_BEHIND_TIMES
            ? await this.#erase(what, isDryRun, this.#ports.log)
            : await this.#ports.log.locked(this.graphId, async (log) => {
                await this.#catchUp(log)
                return this.#erase(what, isDryRun, log)
              })
        } catch (error) {
          // Another erasure may have come while the log was read, or this one was done but for a file that could not be removed.
          await this.#catchUp(this.#ports.log)
          if (!(error instanceof Behind || error instanceof Diverged)) throw error
        }
      }
    })
  }

  async close(): Promise<void> {
    await this.#writes.settled()
    this.#isClosed = true
    this.graph.indexes.stop()
    await this.#indexing
    await this.#keepIndexes()
    await this.#drop(this.#copy)
  }

  async #commit(appends: readonly Append[]): Promise<readonly Outcome[]> {
    const { log } = this.#ports
    for (let times = 0; ; times++) {
      try {
        if (times < MAX_BEHIND_TIMES) return await this.#commitTo(log, appends)
        return await log.locked(this.graphId, async (locked) => {
          await this.#catchUp(locked)
          return this.#commitTo(locked, appends)
        })
      } catch (error) {
        if (!(error instanceof Behind)) throw error
        await this.#catchUp(log)
      }
    }
  }

  async #commitTo(log: GraphLog, appends: readonly Append[]): Promise<readonly Outcome[]> {
    const copy = this.#copy
    const yielding = createYielding()
    const drafts = await draftAll(copy, appends, this.#ports, yielding)
    const entries = drafts.flatMap((draft) => ('entry' in draft ? draft.entry : []))
    if (entries.length === 0) {
      // What is refused, or was written before, may be so only in an old copy.
      if (!isSame(await log.head(this.graphId), copy.head)) throw new Behind()
      return drafts
    }
    this.#ports.clock.check(this.graphId, copy.graph.lastRecordedAt)
    let head: Head
    try {
      head = await log.append(this.graphId, copy.head, entries)
    } catch (error) {
      if (error instanceof Behind) throw error
      // Whether the rest was decided on the latest copy is not known either.
      return drafts.map(() => ({ error }))
    }
    await this.#during(async () => {
      for (const draft of drafts)
        if ('entry' in draft) await applyEntry(copy, draft.entry, yielding, draft.contents)
      copy.head = head
    })
    this.indexIfDue()
    this.#ports.embedding?.add(copy.graph)
    return drafts
  }

  /** Brings the copy to the head of the log. The caller keeps our own writes out. */
  async #catchUp(log: GraphLog): Promise<void> {
    const head = await log.head(this.graphId)
    if (isSame(head, this.#copy.head)) return
    await this.#during(async () => {
      let gone: readonly ErasedStatement[] | undefined
      try {
        gone = head === undefined ? undefined : await this.#erasedSince(head)
        if (head === undefined || gone === undefined || gone.length > 0) throw new Diverged()
        await follow(this.#copy, head, log)
      } catch (error) {
        const { head: ours, graph } = this.#copy
        // Whatever went wrong, a part of the tail may have been applied.
        await this.#reopen().catch((failed: unknown) => {
          // What was erased since the old copy cannot be told from a new one.
          this.#announce(undefined)
          throw failed
        })
        // Of what others erased, even while this was read, followers are told; of what a failover lost nobody can tell.
        const { head: now } = this.#copy
        const isSameGraph = now !== undefined && now.epoch === ours?.epoch
        const isErased = error instanceof Diverged && isSameGraph && now.erasedAt > ours.position
        this.#ports.texts.clear()
        gone = isErased ? lostStatements(graph, this.graph) : undefined
      }
      this.#announce(gone)
    }).catch((error: unknown) => {
      throw toFailure(this.graphId, error)
    })
    this.#ports.embedding?.add(this.graph)
  }

  /** The statements that others erased since our head; undefined if the graph is another one by now. */
  async #erasedSince({ epoch, erasedAt }: Head): Promise<readonly ErasedStatement[] | undefined> {
    const ours = this.#copy.head
    if (ours === undefined) return []
    if (epoch !== ours.epoch) return undefined
    if (erasedAt <= ours.position) return []
    const statements: ErasedStatement[] = []
    for await (const entries of this.#ports.log.read(this.graphId, ours))
      for (const { records } of entries)
        for (const record of records)
          if (record.op === 'erased') statements.push(...statementsAt(record.removed, this.graph))
    return statements
  }

  #announce(gone: readonly ErasedStatement[] | undefined): void {
    const { feeds, texts } = this.#ports
    if (gone?.length !== 0) texts.clear()
    if (gone === undefined) feeds.over(this.graphId)
    else if (gone.length > 0) feeds.erased(this.graphId, () => gone)
    else feeds.recorded(this.graphId)
  }

  async #erase(what: Erasure, isDryRun: boolean, log: GraphLog): Promise<Erased> {
    const before = this.#copy
    const head = this.head()
    const plan = await planErasure(before.graph, what)
    if (isDryRun) return plan.erased
    this.#ports.refuseUnlessWritable()
    if ('everything' in what) {
      await this.#clearingTexts(log.remove(this.graphId, head))
      // It is gone: that a new one cannot be looked for is for the next question to find.
      await this.#reopen().catch(() => undefined)
      this.#ports.embedding?.add(this.graph)
      this.#ports.feeds.over(this.graphId)
    } else if (plan.ids.size > 0) {
      const work = erasureOf(before, plan.ids, emptyCopy(this.graphId, this.#ports), log)
      const { erasure, left } = await work.catch(async (error: unknown) => {
        // What was read may be of a log that another process changed meanwhile.
        throw isSame(await log.head(this.graphId), head) ? error : new Behind()
      })
      left.head = await this.#clearingTexts(log.erase(this.graphId, head, erasure))
      await this.#during(async () => {
        // What is still embedded of what was erased is written before the vectors are opened, which removes it.
        await this.#drop(before)
        await left.graph.meanings?.open(left.graph.rows)
        this.#copy = left
        this.#ports.embedding?.add(left.graph)
      })
      this.#ports.feeds.erased(this.graphId, () => statementsOf(before.graph.rows.all(plan.ids)))
    }
    return plan.erased
  }

  /** Also when a file that holds what was erased could not be removed. */
  #clearingTexts<T>(erasing: Promise<T>): Promise<T> {
    return erasing.finally(() => this.#ports.texts.clear())
  }

  async #reopen(): Promise<void> {
    const before = this.#copy
    this.#copy = emptyCopy(this.graphId, this.#ports)
    await this.#drop(before)
    this.#copy = await openCopy(this.graphId, this.#ports)
  }

  async #drop({ graph }: Copy): Promise<void> {
    graph.indexes.stop()
    this.#ports.embedding?.remove(graph)
    await graph.meanings?.close()
  }

  async #keepIndexes(least = 0): Promise<void> {
    const { log } = this.#ports
    const { indexes } = this.graph
    if (log.indexes === undefined || indexes.terms.count - indexes.savedCount < Math.max(MIN_KEPT, least))
      return
    const { graph } = this
    await indexes.hashContents()
    const kept = await indexes.save()
    // After an erasure they are those of a graph that is no more.
    if (kept === undefined || graph !== this.graph) return
    await log.indexes.write(this.graphId, kept)
    indexes.savedCount = kept.count
  }

  /** Does work that leaves the graph in parts while it goes on: questions wait. */
  async #during<T>(work: () => Promise<T>): Promise<T> {
    const done = work()
    const changing = done.catch(() => undefined)
    this.#changing = changing
    try {
      return await done
    } finally {
      if (this.#changing === changing) this.#changing = undefined
    }
  }
}

/** What a graph that cannot be read is answered with. */
export function toFailure(graphId: GraphId, error: unknown): Failure {
  if (error instanceof Failure) return error
  const isNewer = error instanceof NewerVersion || error instanceof UnknownRecord
  const why = isNewer ? 'a newer version of Loregraph wrote to it. Upgrade this process' : 'try again'
  return new Failure('storage_unavailable', `The graph ${graphId} cannot be read at the moment: ${why}.`, {
    cause: error,
  })
}
