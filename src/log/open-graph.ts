import { ofDryRun, Recorder } from '../domain/events/recording.js'
import { contentOf } from '../domain/events/same-event.js'
import { Failure, graphNotFound } from '../domain/failure.js'
import type { Erased, Erasure, GraphId, MemoryId, NewMemory, Receipt } from '../domain/model.js'
import { fieldsIn } from '../domain/trust/fields.js'
import { decideNext } from '../graph/deciding.js'
import type { Graph } from '../graph/graph.js'
import type { EventRecord, Idempotency } from '../graph/records.js'
import { changesBy, receiptOf } from '../graph/views.js'
import { createYielding } from '../loop/yielding.js'
import type { ErasedStatement, Feeds } from '../store/feeds.js'
import type { EventPath } from '../store/store.js'
import type { ClockWatch } from './clock-watch.js'
import {
  applyEntry,
  type Copy,
  type CopyPorts,
  dropCopy,
  emptyCopy,
  finishOpening,
  follow,
  openCopy,
} from './copy.js'
import { draftAll } from './drafts.js'
import { UnknownRecord } from './entries.js'
import { lostStatements, PreparedErasure, planErasure, statementsOf } from './erasure.js'
import { Behind, Diverged, type Head, isSame, type LockedLog, NewerVersion } from './graph-log.js'
import { type Append, GroupCommit, type Outcome } from './group-commit.js'

export interface OpenGraphPorts extends CopyPorts {
  readonly feeds: Feeds
  readonly clock: ClockWatch
  /** Throws if nothing can be recorded. */
  readonly refuseUnlessWritable: () => void
}

/** The version of a graph that an answer was made from. */
interface Version {
  readonly graph: Graph
  readonly lastSeq: number
  readonly unread: number
}

const INDEX_EVERY = 500
/** In characters of payloads. */
const MAX_BEHIND = 32_768
/** Indexing fewer memories takes no longer than reading saved indexes. */
const MIN_TO_SAVE = 2_000
/** The bytes of memory for each byte of the log, applied and indexed; measured and rounded up. */
export const MEMORY_PER_BYTE = 4
/** After this many failed attempts, the graph is locked against other writers for one attempt. */
const MAX_BEHIND_TIMES = 2
/** A larger graph is not prepared for an erasure while it is locked, unless that failed so many times. */
const MAX_PREPARED_LOCKED = 10_000
const MAX_ERASE_TIMES = 10

/** One open graph: its copy in memory, which follows the log, and its serialized writes. */
export class OpenGraph {
  readonly graphId: GraphId
  readonly #ports: OpenGraphPorts
  readonly #writes: GroupCommit
  #copy: Copy
  #changing: Promise<unknown> | undefined
  #indexing: Promise<void> | undefined
  /** The number of memories when the index was last updated. */
  #indexed: number
  #isClosed = false
  /** Until an erasure is applied, the indexes have words that it erased from the log. */
  #isErasing = false

  private constructor(graphId: GraphId, copy: Copy, ports: OpenGraphPorts) {
    this.graphId = graphId
    this.#ports = ports
    this.#copy = copy
    this.#indexed = copy.graph.memoryCount
    this.#writes = new GroupCommit((appends) => this.#untilNotBehind((log) => this.#commitTo(log, appends)))
    ports.embedding?.add(copy.graph)
  }

  static async open(graphId: GraphId, ports: OpenGraphPorts): Promise<OpenGraph> {
    return new OpenGraph(graphId, await openCopy(graphId, ports), ports)
  }

  /** Opens a copy that an import created. */
  static async of(graphId: GraphId, copy: Copy, ports: OpenGraphPorts): Promise<OpenGraph> {
    await finishOpening(graphId, copy, ports)
    return new OpenGraph(graphId, copy, ports)
  }

  /** The current graph. An erasure replaces this object. */
  get graph(): Graph {
    return this.#copy.graph
  }

  get exists(): boolean {
    return this.#copy.head !== undefined
  }

  /** Questions must await this promise, since a change is applied in parts; undefined if there is none. */
  get changing(): Promise<unknown> | undefined {
    return this.#changing
  }

  get idle(): boolean {
    return this.#writes.idle && this.#changing === undefined
  }

  /** The approximate memory of the graph, in bytes. */
  get footprint(): number {
    return MEMORY_PER_BYTE * (this.#copy.head?.bytes ?? 0) + (this.graph.meanings?.footprint ?? 0)
  }

  get version(): Version {
    const { graph } = this
    return { graph, lastSeq: graph.lastSeq, unread: graph.unread() }
  }

  /** Is the graph unchanged since this version? */
  isStill({ graph, lastSeq, unread }: Version): boolean {
    const isSameGraph = graph === this.graph && graph.lastSeq === lastSeq
    return isSameGraph && this.#changing === undefined && graph.unread() === unread && !this.#isClosed
  }

  /**
   * Applies all entries that were acknowledged to any process when this was called. This process applies its own writes before
   * it acknowledges them, so a log in files has never anything to apply.
   */
  async follow(): Promise<void> {
    const head = await this.#ports.log.head(this.graphId)
    // A copy that is being opened again has no head yet, as if there were no graph.
    if (this.#changing === undefined && isSame(head, this.#copy.head)) return
    // Waits for a write of this process that is durable but not applied yet.
    await this.#writes.exclusive(async () => {
      // Another read may have caught up meanwhile. A copy beyond the head may have entries that a failover lost.
      if (!isSame(head, this.#copy.head)) await this.#catchUp(this.#ports.log)
    })
  }

  /** Starts to index new memories in the background once there are many, so that questions need not wait for it. */
  indexIfDue(): void {
    const { indexes, memoryCount } = this.graph
    const isDue = memoryCount >= this.#indexed + INDEX_EVERY || indexes.behind > MAX_BEHIND
    if (this.#indexing !== undefined || !isDue) return
    this.#indexed = memoryCount
    // Saved whenever the number of memories has doubled, so that all saves together cost about twice the last one.
    this.#indexing = indexes
      .caughtUp()
      .then(() => this.#saveIndexes(indexes.savedCount))
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
      // Deciding yields to the event loop, so the graph may have changed meanwhile.
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

  /** The records after a place; undefined if some are not in memory, as on the first call. */
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
      this.#isErasing = !isDryRun
      let prepared: PreparedErasure | undefined
      const attempt = (log: LockedLog, times: number, isLocked: boolean) =>
        this.#erase(what, isDryRun, log, async (ids) => {
          if (prepared !== undefined && (await prepared.follow(this.#copy, ids, log))) return prepared
          if (isLocked && this.graph.memoryCount > MAX_PREPARED_LOCKED && times < MAX_ERASE_TIMES)
            throw new Behind()
          if (prepared !== undefined) await dropCopy(prepared.left, this.#ports)
          prepared = new PreparedErasure(this.#copy, ids, emptyCopy(this.graphId, this.#ports))
          await prepared.prepare(log)
          return prepared
        })
      try {
        await this.#catchUp(this.#ports.log)
        // What is prepared anew is prepared before the lock, which keeps writers of other processes waiting.
        return await this.#untilNotBehind(attempt, () => prepared?.isReady === true)
      } finally {
        this.#isErasing = false
        if (prepared !== undefined && prepared.left !== this.#copy) await dropCopy(prepared.left, this.#ports)
      }
    })
  }

  async close(): Promise<void> {
    await this.#writes.waitUntilIdle()
    this.#isClosed = true
    this.graph.indexes.stop()
    await this.#indexing
    await this.#saveIndexes()
    await dropCopy(this.#copy, this.#ports)
  }

  /** Repeats `attempt` while other processes write, in the end with the graph locked. */
  async #untilNotBehind<T>(
    attempt: (log: LockedLog, times: number, isLocked: boolean) => Promise<T>,
    mayLock: () => boolean = () => true,
  ): Promise<T> {
    const { log } = this.#ports
    for (let times = 0; ; times++) {
      try {
        if (times < MAX_BEHIND_TIMES || !mayLock()) return await attempt(log, times, false)
        return await log.locked(this.graphId, async (locked) => {
          await this.#catchUp(locked)
          return attempt(locked, times, true)
        })
      } catch (error) {
        const isBehind = error instanceof Behind || error instanceof Diverged
        // Even after another error, an erasure may be complete except for a file that could not be removed.
        await this.#catchUp(log).catch((failed: unknown) => {
          throw isBehind ? failed : error
        })
        if (!isBehind) throw error
      }
    }
  }

  async #commitTo(log: LockedLog, appends: readonly Append[]): Promise<readonly Outcome[]> {
    const copy = this.#copy
    const yielding = createYielding()
    const drafts = await draftAll(copy, appends, this.#ports, yielding)
    const entries = drafts.flatMap((draft) => ('entry' in draft ? draft.entry : []))
    if (entries.length === 0) {
      // The copy may be outdated, and the refusals wrong.
      if (!isSame(await log.head(this.graphId), copy.head)) throw new Behind()
      return drafts
    }
    this.#ports.clock.check(this.graphId, copy.graph.lastRecordedAt)
    let head: Head
    try {
      head = await log.append(this.graphId, copy.head, entries)
    } catch (error) {
      if (error instanceof Behind) throw error
      // Nothing is known about the state of the log, so the other drafts fail, too.
      return drafts.map(() => ({ error }))
    }
    await this.#blockingQuestions(async () => {
      for (const draft of drafts)
        if ('entry' in draft) await applyEntry(copy, draft.entry, yielding, draft.contents)
      copy.head = head
    })
    this.indexIfDue()
    this.#ports.embedding?.add(copy.graph)
    return drafts
  }

  /** Brings the copy to the head of the log. The caller must prevent concurrent writes of this process. */
  async #catchUp(log: LockedLog): Promise<void> {
    const head = await log.head(this.graphId)
    if (isSame(head, this.#copy.head)) return
    await this.#blockingQuestions(async () => {
      let erased: readonly ErasedStatement[] | undefined = []
      try {
        // A copy without a head may be one that could not be opened.
        if (head === undefined || this.#copy.head === undefined) throw new Diverged()
        await follow(this.#copy, head, log)
      } catch (error) {
        const { head: previousHead, graph } = this.#copy
        // After any error, entries may have been applied in part, so the copy is rebuilt.
        await this.#reopen().catch((failed: unknown) => {
          // Without a new copy, the erased statements cannot be determined.
          this.#tellFeeds(undefined)
          throw failed
        })
        // Followers get the statements that other processes erased. What a failover lost cannot be determined.
        const { head: now } = this.#copy
        const isSameGraph = now !== undefined && now.epoch === previousHead?.epoch
        const isErased = error instanceof Diverged && isSameGraph && now.erasedAt > previousHead.position
        this.#ports.texts.clear()
        erased = isErased ? lostStatements(graph, this.graph) : undefined
      }
      this.#tellFeeds(erased)
    }).catch((error: unknown) => {
      throw toFailure(this.graphId, error)
    })
    this.#ports.embedding?.add(this.graph)
  }

  #tellFeeds(erased: readonly ErasedStatement[] | undefined): void {
    const { feeds, texts } = this.#ports
    if (erased?.length !== 0) texts.clear()
    if (erased === undefined) feeds.over(this.graphId)
    else if (erased.length > 0) feeds.erased(this.graphId, () => erased)
    else feeds.recorded(this.graphId)
  }

  async #erase(
    what: Erasure,
    isDryRun: boolean,
    log: LockedLog,
    prepare: (ids: ReadonlySet<MemoryId>) => Promise<PreparedErasure>,
  ): Promise<Erased> {
    const before = this.#copy
    const head = this.head()
    const plan = await planErasure(before.graph, what)
    if (isDryRun) return plan.erased
    this.#ports.refuseUnlessWritable()
    if ('everything' in what) {
      await this.#clearingTexts(this.#ports.log.remove(this.graphId, head))
      // The graph is erased. If opening a new one fails, the next question reports it.
      await this.#reopen().catch(() => undefined)
      this.#ports.embedding?.add(this.graph)
      this.#ports.feeds.over(this.graphId)
    } else if (plan.ids.size > 0) {
      const prepared = await prepare(plan.ids).catch(async (error: unknown) => {
        // The error may be due to a concurrent change by another process.
        throw isSame(await log.head(this.graphId), head) ? error : new Behind()
      })
      const { erasure, left } = prepared
      const erasedHead = await this.#clearingTexts(log.erase(this.graphId, head, erasure))
      await this.#blockingQuestions(async () => {
        await prepared.finish(erasure, erasedHead)
        // Pending vectors of erased memories are written first; opening the vectors then removes them.
        await dropCopy(before, this.#ports)
        await left.graph.meanings?.open(left.graph.rows)
        this.#copy = left
        this.#ports.embedding?.add(left.graph)
      })
      this.#ports.feeds.erased(this.graphId, () => statementsOf(before.graph.rows.all(plan.ids)))
    }
    return plan.erased
  }

  /** Clears the texts even if the erasure failed, as it does when a file could not be removed. */
  #clearingTexts<T>(erasing: Promise<T>): Promise<T> {
    return erasing.finally(() => this.#ports.texts.clear())
  }

  async #reopen(): Promise<void> {
    const before = this.#copy
    const placeholder = emptyCopy(this.graphId, this.#ports)
    this.#copy = placeholder
    await dropCopy(before, this.#ports)
    this.#copy = await openCopy(this.graphId, this.#ports)
    await dropCopy(placeholder, this.#ports)
  }

  async #saveIndexes(minUnsaved = 0): Promise<void> {
    const { log } = this.#ports
    const { indexes } = this.graph
    if (
      log.indexes === undefined ||
      indexes.terms.count - indexes.savedCount < Math.max(MIN_TO_SAVE, minUnsaved)
    )
      return
    const { graph } = this
    await indexes.hashContents()
    const saved = await indexes.save()
    // After an erasure, these are indexes of the former graph.
    if (saved === undefined || graph !== this.graph || this.#isErasing) return
    await log.indexes.write(this.graphId, saved)
    indexes.savedCount = saved.count
  }

  /** Does work in slices that leaves the graph inconsistent in between, so that questions must wait. */
  async #blockingQuestions<T>(work: () => Promise<T>): Promise<T> {
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

/** The failure for a graph that cannot be read. */
export function toFailure(graphId: GraphId, error: unknown): Failure {
  if (error instanceof Failure) return error
  const isNewer = error instanceof NewerVersion || error instanceof UnknownRecord
  const why = isNewer ? 'a newer version of Loregraph wrote to it. Upgrade this process' : 'try again'
  return new Failure('storage_unavailable', `The graph ${graphId} cannot be read at the moment: ${why}.`, {
    cause: error,
  })
}
