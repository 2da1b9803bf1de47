import { Failure, graphExists, graphNotFound, stillRunning } from '../../../domain/failure.js'
import type { Erased, Erasure, NewMemory, Receipt } from '../../../domain/model.js'
import type { EventPath, Idempotency } from '../../store.js'
import { announceCreated, eraseFrom, removeFolder } from '../changes/erase.js'
import { type Alone, draftAppends, takeAppends, type Waiting } from '../changes/group-commit.js'
import { toFailure } from '../disk/errors.js'
import { GraphHistory } from '../graph-files/history.js'
import type { GraphHome } from '../graph-files/journal.js'
import type { GraphPorts } from '../graph-files/ports.js'
import type { Graph } from '../memory/graph.js'
import { applyGroup, type OpenGraph, openFrom, openNothing } from '../open-graph/open-graph.js'
import { Maintenance } from './maintenance.js'

/** Keeps one graph, in memory and on disk: the only one who writes to it. */
export class GraphOwner {
  readonly #around: GraphPorts
  #held: OpenGraph
  #upkeep: Maintenance
  readonly #queue: (Waiting | Alone)[] = []
  #working: Promise<void> | undefined
  /** The keys of writes that are done once and not done yet. */
  readonly #underWay = new Set<string>()

  private constructor(held: OpenGraph, around: GraphPorts) {
    this.#around = around
    this.#held = held
    this.#upkeep = new Maintenance(held, around)
  }

  /** A graph of which nothing is on disk yet. */
  static create(home: GraphHome, around: GraphPorts): GraphOwner {
    return new GraphOwner(openNothing(home, around), around)
  }

  static async open(home: GraphHome, around: GraphPorts): Promise<GraphOwner> {
    return new GraphOwner(await openFrom(home, around), around)
  }

  /** As it is now: after an erasure it is another one. */
  get graph(): Graph {
    return this.#held.graph
  }

  /** Does the graph exist? One that is being created does once its first event is on disk. */
  get exists(): boolean {
    return this.graph.lastSeq > 0
  }

  get idle(): boolean {
    return this.#working === undefined && this.#upkeep.idle
  }

  /** About how many bytes of memory the graph takes. */
  get footprint(): number {
    return this.#upkeep.footprint
  }

  async append(events: readonly NewMemory[], at: EventPath, once?: Idempotency): Promise<readonly Receipt[]> {
    if (events.length === 0) return []
    if (once === undefined) return this.#wait(events, at, once)
    const kept = this.#held.answers.find(once)
    if (kept !== undefined) return kept
    if (this.#underWay.has(once.key)) throw stillRunning()
    this.#underWay.add(once.key)
    return this.#wait(events, at, once).finally(() => this.#underWay.delete(once.key))
  }

  erase(what: Erasure, dryRun: boolean): Promise<Erased> {
    return this.#alone(async () => {
      if (!this.exists) throw graphNotFound(this.#held.home.graph)
      const before = this.#held
      const { erased, held } = await eraseFrom(before, this.#around, what, dryRun)
      if (held !== before) {
        await this.#goOnWith(held)
        await removeFolder(before.home)
      }
      return erased
    })
  }

  /** Makes a graph that was written in a folder of its own this one, which must not exist. */
  adopt(held: OpenGraph): Promise<void> {
    return this.#alone(async () => {
      if (this.exists) throw graphExists(held.home.graph)
      this.#around.refuseUnlessWritable()
      await announceCreated(held, this.#around)
      await this.#goOnWith(held)
    })
  }

  /** The graph and all its records, as they are now. */
  async past(): Promise<{
    readonly graph: Graph
    readonly latestAt: string | undefined
    readonly records: GraphHistory
  }> {
    for (;;) {
      const held = this.#held
      if (!this.exists) throw graphNotFound(held.home.graph)
      const { latestAt } = held.graph
      const opened = await GraphHistory.open(held.home, held.graph.lastSeq).catch((error: unknown) => {
        if (held === this.#held) throw toFailure(error)
        return undefined
      })
      if (opened !== undefined && held === this.#held) return { graph: held.graph, latestAt, records: opened }
      // It was erased from in the meantime.
      await opened?.close()
    }
  }

  async close(): Promise<void> {
    await this.#working
    await this.#upkeep.settled()
    await this.#held.writer.close()
  }

  async #goOnWith(held: OpenGraph): Promise<void> {
    const before = this.#held
    this.#held = held
    this.#upkeep = new Maintenance(held, this.#around)
    await before.writer.close()
  }

  #wait(
    events: readonly NewMemory[],
    at: EventPath,
    once: Idempotency | undefined,
  ): Promise<readonly Receipt[]> {
    return new Promise((resolve, reject) => this.#enqueue({ events, at, once, resolve, reject }))
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#enqueue(async () => {
        await this.#upkeep.settled()
        await work().then(resolve, (error: unknown) => {
          if (!(error instanceof Failure)) this.#around.failed(error)
          reject(toFailure(error))
        })
      })
    })
  }

  #enqueue(next: Waiting | Alone): void {
    this.#queue.push(next)
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    // Those who write in the same turn come along.
    await Promise.resolve()
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (typeof next === 'function') {
        this.#queue.shift()
        await next()
      } else await this.#write(takeAppends(this.#queue))
    }
    this.#working = undefined
  }

  /** Everything that waits shares one flush; what arrives meanwhile shares the next. */
  async #write(appends: readonly Waiting[]): Promise<void> {
    const drafted = draftAppends(appends, this.graph, this.#around)
    if (drafted.length === 0) return
    try {
      await this.#held.writer.append(drafted.map(({ group }) => group))
    } catch (error) {
      this.#around.failed(error)
      for (const { waiting } of drafted) waiting.reject(toFailure(error))
      return
    }
    for (const { waiting, group } of drafted) waiting.resolve(applyGroup(this.#held, group))
    this.#upkeep.afterWrite()
  }
}
