import { Failure, graphExists, graphNotFound } from '../../../domain/failure.js'
import type { Erased, Erasure, NewMemory, Receipt } from '../../../domain/model.js'
import type { Graph } from '../../../graph/graph.js'
import type { EventRecord } from '../../../graph/records.js'
import type { EventPath, Idempotency } from '../../../store/store.js'
import type { ErasedStatement } from '../../feeds.js'
import { GroupCommit } from '../../group-commit.js'
import { appendAll } from '../changes/append.js'
import { dryRun } from '../changes/dry-run.js'
import { eraseFrom, rewrite, statementsOf } from '../changes/erase.js'
import { announceCreated, isFormer, removeFolder, takeOver } from '../changes/folders.js'
import { toFailure } from '../disk/errors.js'
import { GraphHistory } from '../graph-files/history.js'
import type { GraphHome } from '../graph-files/journal.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { closeGraph, type OpenGraph, openFrom, openNothing } from '../open-graph/open-graph.js'
import { Maintenance } from './maintenance.js'

/** What an answer is made from. */
interface Version {
  readonly graph: Graph
  readonly lastSeq: number
  readonly unread: number
}

/** Owns one graph, in memory and on disk: nothing else writes to it. */
export class GraphOwner {
  readonly #ports: GraphPorts
  readonly #commits: GroupCommit
  #openGraph: OpenGraph
  #maintenance: Maintenance

  private constructor(openGraph: OpenGraph, ports: GraphPorts) {
    this.#ports = ports
    this.#openGraph = openGraph
    this.#maintenance = new Maintenance(openGraph, ports)
    this.#commits = new GroupCommit(async (appends) => {
      const error = await this.#takeOver()
      if (error !== undefined) return appends.map(() => ({ error }))
      const outcomes = await appendAll(this.#openGraph, appends, ports)
      if (outcomes.some((outcome) => 'receipts' in outcome)) {
        this.#maintenance.afterWrite()
        ports.reader?.add(this.graph)
      }
      return outcomes
    })
    ports.reader?.add(openGraph.graph)
  }

  /** A graph of which nothing is on disk yet. */
  static create(home: GraphHome, ports: GraphPorts): GraphOwner {
    return new GraphOwner(openNothing(home, ports), ports)
  }

  static async open(home: GraphHome, ports: GraphPorts): Promise<GraphOwner> {
    return new GraphOwner(await openFrom(home, ports), ports)
  }

  /** The graph as it is now: after an erasure it is another object. */
  get graph(): Graph {
    return this.#openGraph.graph
  }

  /** Until when questions have to wait, because a part of a batch would be seen; undefined when none has to. */
  get changing(): Promise<unknown> | undefined {
    return this.#openGraph.whole.changing
  }

  get version(): Version {
    const { graph } = this
    return { graph, lastSeq: graph.lastSeq, unread: graph.unread() }
  }

  /** Has nothing been recorded, erased or read for meaning since? */
  isStill({ graph, lastSeq, unread }: Version): boolean {
    return graph === this.graph && this.isAt(lastSeq) && graph.unread() === unread
  }

  /** Does the graph exist? One that is being created does once its first event is on disk. */
  get exists(): boolean {
    return this.graph.lastSeq > 0
  }

  get idle(): boolean {
    return this.#commits.idle && this.#maintenance.idle
  }

  /** About how many bytes of memory the graph takes. */
  get footprint(): number {
    return this.#maintenance.footprint
  }

  /** Has the words of memories indexed that many questions would otherwise have to wait for. */
  indexIfDue(): void {
    this.#maintenance.indexIfDue()
  }

  async append(events: readonly NewMemory[], at: EventPath, once?: Idempotency): Promise<readonly Receipt[]> {
    const kept = once && this.#openGraph.idempotency.find(once)
    return kept ?? this.#commits.append(events, at, once)
  }

  async dryRun(event: NewMemory, at: EventPath): Promise<Receipt> {
    for (;;) {
      await this.changing
      const { graph } = this
      const receipt = await dryRun(graph, event, at, this.#ports.clockAndRandom)
      // It worked in slices: it may have seen a part of a batch, or what was erased meanwhile.
      if (graph === this.graph && this.changing === undefined) return receipt
    }
  }

  /** The records after a place that are in memory; undefined when some of them are not, or nobody has asked before. */
  recentAfter(place: number): readonly EventRecord[] | undefined {
    return this.#openGraph.recent.after(place, this.graph.lastPlace)
  }

  /** The last place that was given out. */
  lastPlace(): number {
    if (!this.exists) throw graphNotFound(this.#openGraph.home.graph)
    return this.graph.lastPlace
  }

  /** `told` is told as soon as what was erased is in no answer, and can ask which statements that were. */
  erase(
    what: Erasure,
    dryRun: boolean,
    told: (gone: () => readonly ErasedStatement[]) => void,
  ): Promise<Erased> {
    return this.#exclusive(async () => {
      if (!this.exists) throw graphNotFound(this.#openGraph.home.graph)
      const before = this.#openGraph
      const { erased, ids, openGraph } = await eraseFrom(before, this.#ports, what, dryRun)
      if (openGraph !== before) {
        // What cannot be closed can be removed all the same.
        const closed = this.#replace(openGraph).catch(this.#ports.failed)
        told(() => statementsOf(before.graph.rows.all(ids)))
        await closed
        await removeFolder(before.home, this.#ports)
      }
      return erased
    })
  }

  /** Rewrites a graph of an earlier format; it was decided anew, once, when it was opened. */
  bringOver(): Promise<void> {
    return this.#exclusive(async () => {
      const before = this.#openGraph
      await this.#replace(await rewrite(before, this.#ports, new Set()))
      await removeFolder(before.home, this.#ports)
    })
  }

  /** Makes a graph that was written in a folder of its own this one, which must not exist. */
  adopt(openGraph: OpenGraph): Promise<void> {
    return this.#exclusive(async () => {
      if (this.exists) throw graphExists(openGraph.home.graph)
      this.#ports.refuseUnlessWritable()
      await announceCreated(openGraph, this.#ports)
      await this.#replace(openGraph)
    })
  }

  /** Does the graph end with this record, and is nothing being added? */
  isAt(lastSeq: number): boolean {
    return this.exists && this.graph.lastSeq === lastSeq && this.changing === undefined
  }

  /** The graph and all its records, as they are now. */
  async past(): Promise<{ readonly graph: Graph; readonly history: GraphHistory }> {
    for (;;) {
      const openGraph = this.#openGraph
      const { graph, home } = openGraph
      if (!this.exists) throw graphNotFound(home.graph)
      const history = await GraphHistory.open(home, graph).catch((error: unknown) => {
        if (openGraph === this.#openGraph) throw toFailure(error)
        return undefined
      })
      if (history !== undefined && openGraph === this.#openGraph && this.changing === undefined)
        return { graph, history }
      // An erasure replaced the files between the two lines above, or a batch is being applied.
      await history?.close()
      await this.changing
    }
  }

  async close(): Promise<void> {
    await this.#commits.settled()
    this.graph.indexes.stop()
    await this.#maintenance.settled()
    await this.#maintenance.keepIndexes()
    await closeGraph(this.#openGraph, this.#ports)
  }

  /** Before the first write to a graph that a former owner left; gives the reason why nothing can be written. */
  async #takeOver(): Promise<Failure | undefined> {
    const before = this.#openGraph
    if (!this.exists || !isFormer(before.home, this.#ports)) return undefined
    try {
      this.#ports.refuseUnlessWritable()
      this.#openGraph = await takeOver(before, this.#ports)
    } catch (error) {
      if (!(error instanceof Failure)) this.#ports.failed(error)
      return toFailure(error)
    }
    this.#maintenance = new Maintenance(this.#openGraph, this.#ports)
    // It is in no answer any more and holds nothing that was erased: the next start may remove it as well.
    await removeFolder(before.home, this.#ports).catch(this.#ports.failed)
    return undefined
  }

  async #replace(openGraph: OpenGraph): Promise<void> {
    const [before, maintenance] = [this.#openGraph, this.#maintenance]
    this.#openGraph = openGraph
    this.#maintenance = new Maintenance(openGraph, this.#ports)
    this.#ports.reader?.add(openGraph.graph)
    // Reads may have had it indexed meanwhile; nothing is written to its folder from here on.
    before.graph.indexes.stop()
    await maintenance.settled()
    await closeGraph(before, this.#ports)
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#commits.exclusive(async () => {
      await this.#maintenance.settled()
      return work().catch((error: unknown) => {
        if (!(error instanceof Failure)) this.#ports.failed(error)
        throw toFailure(error)
      })
    })
  }
}
