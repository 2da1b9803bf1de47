import { Failure, graphTooLarge } from '../domain/failure.js'
import type { GraphId } from '../domain/model.js'
import { Semaphore } from '../loop/semaphore.js'
import { type Copy, dropCopy } from './copy.js'
import { MEMORY_PER_BYTE, OpenGraph, type OpenGraphPorts, toFailure } from './open-graph.js'

/** Each graph opens at most two files, which stays well below the usual limit of a process. */
const MAX_OPEN = 200
const MAX_OPENING = 2
/** How long a request waits for a graph that is being opened. */
const MAX_WAIT_MS = 5_000

export interface OpenGraphsStats {
  readonly open: number
  readonly opening: number
  /** The approximate memory of the open graphs, in bytes. */
  readonly bytes: number
  readonly openings: number
  readonly openingMs: number
}

/** The open graphs. The least recently used are closed when memory is short. */
export class OpenGraphs {
  readonly #ports: OpenGraphPorts
  readonly #budget: number
  /** In order of use, the least recently used first. */
  readonly #graphs = new Map<GraphId, Promise<OpenGraph>>()
  readonly #open = new Map<GraphId, OpenGraph>()
  /** A graph that is being closed is opened again only afterwards. */
  readonly #closing = new Map<GraphId, Promise<void>>()
  readonly #openers = new Semaphore(MAX_OPENING)
  #opening = 0
  #openings = 0
  #openingMs = 0

  constructor(ports: OpenGraphPorts, budget: number) {
    this.#ports = ports
    this.#budget = budget
  }

  stats(): OpenGraphsStats {
    return {
      open: this.#open.size,
      opening: this.#opening,
      bytes: this.#bytes(),
      openings: this.#openings,
      openingMs: this.#openingMs,
    }
  }

  /**
   * Opens a graph unless it is open; it need not exist yet. Rejects with `graph_too_large` if it does not fit into memory,
   * unless `mustOpen` is set, as for an erasure.
   */
  async take(graphId: GraphId, mustOpen = false): Promise<OpenGraph> {
    const open = this.#open.get(graphId)
    if (open !== undefined) {
      this.#use(graphId, mustOpen)
      return open
    }
    return this.#wait(graphId, this.#use(graphId, mustOpen))
  }

  /** Rejects a write to a graph that exceeds the memory budget by itself. */
  refuseIfFull(open: OpenGraph): void {
    if (open.footprint > this.#budget) throw graphTooLarge(open.graphId)
  }

  /** Adds a graph that was created in memory, unless it was opened meanwhile. */
  async adopt(graphId: GraphId, copy: Copy): Promise<void> {
    if (this.#graphs.has(graphId)) return dropCopy(copy, this.#ports)
    const opening = this.#begin(graphId, () => OpenGraph.of(graphId, copy, this.#ports))
    this.#graphs.set(graphId, opening)
    await opening
  }

  find(graphId: GraphId): OpenGraph | undefined {
    return this.#open.get(graphId)
  }

  graphIds(): Iterable<GraphId> {
    return this.#open.keys()
  }

  isCurrent(open: OpenGraph): boolean {
    return this.#open.get(open.graphId) === open
  }

  /**
   * Closes least recently used idle graphs until the rest fit, and those that do not exist. `except` was just opened: then those
   * that do not exist stay open, since their writers may not have begun yet.
   */
  trim(except?: GraphId): void {
    let bytes = this.#bytes()
    for (const graphId of this.#graphs.keys()) {
      const open = this.#open.get(graphId)
      if (open === undefined || graphId === except || !open.idle) continue
      if ((open.exists || except !== undefined) && bytes <= this.#budget && this.#open.size <= MAX_OPEN)
        continue
      bytes -= open.footprint
      this.#close(graphId, open)
    }
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#graphs.values())
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close()
    await Promise.all(this.#closing.values())
    this.#graphs.clear()
    this.#open.clear()
  }

  #use(graphId: GraphId, mustOpen: boolean): Promise<OpenGraph> {
    const opening = this.#graphs.get(graphId) ?? this.#begin(graphId, () => this.#read(graphId, mustOpen))
    this.#graphs.delete(graphId)
    this.#graphs.set(graphId, opening)
    return opening
  }

  async #begin(graphId: GraphId, open: () => Promise<OpenGraph>): Promise<OpenGraph> {
    try {
      await this.#closing.get(graphId)
      return await this.#openers.run(() => this.#openNow(graphId, open))
    } catch (error) {
      this.#graphs.delete(graphId)
      throw error
    }
  }

  async #read(graphId: GraphId, mustOpen: boolean): Promise<OpenGraph> {
    const bytes = (await this.#ports.log.head(graphId))?.bytes ?? 0
    if (!mustOpen && MEMORY_PER_BYTE * bytes > this.#budget) throw graphTooLarge(graphId)
    return OpenGraph.open(graphId, this.#ports)
  }

  async #openNow(graphId: GraphId, opening: () => Promise<OpenGraph>): Promise<OpenGraph> {
    this.#opening++
    const start = performance.now()
    try {
      const open = await opening()
      this.#open.set(graphId, open)
      this.trim(graphId)
      return open
    } catch (error) {
      if (!(error instanceof Failure))
        this.#ports.logger.error({ graph: graphId, err: error }, 'A graph cannot be opened.')
      throw toFailure(graphId, error)
    } finally {
      this.#opening--
      this.#openings++
      this.#openingMs += performance.now() - start
    }
  }

  async #wait(graphId: GraphId, graph: Promise<OpenGraph>): Promise<OpenGraph> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(stillOpening(graphId)), MAX_WAIT_MS)
    })
    return Promise.race([graph, timeout]).finally(() => clearTimeout(timer))
  }

  #close(graphId: GraphId, open: OpenGraph): void {
    this.#graphs.delete(graphId)
    this.#open.delete(graphId)
    // No work is in flight, so an error of closing has no effect on data.
    const closed = open.close().catch(() => undefined)
    this.#closing.set(
      graphId,
      closed.then(() => void this.#closing.delete(graphId)),
    )
  }

  #bytes(): number {
    let bytes = 0
    for (const open of this.#open.values()) bytes += open.footprint
    return bytes
  }
}

function stillOpening(graphId: GraphId): Failure {
  return new Failure(
    'storage_unavailable',
    `The graph ${graphId} is still being opened. Try again in some seconds.`,
  )
}
