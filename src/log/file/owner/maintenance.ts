import { isFormer } from '../changes/folders.js'
import { compact, isDue } from '../graph-files/compact.js'
import { snapshotPath } from '../graph-files/journal.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { keepIndexes } from '../open-graph/keep-indexes.js'
import type { OpenGraph } from '../open-graph/open-graph.js'

/** How many bytes of memory a byte on disk takes once it is read and indexed: measured, and rounded up. */
const MEMORY_PER_BYTE = 4
const INDEX_EVERY = 500
/** In characters of payloads. */
const MOST_BEHIND = 32_768

/** What is done for a graph between its writes: compacting its journal and indexing its words. */
export class Maintenance {
  readonly #openGraph: OpenGraph
  readonly #ports: GraphPorts
  #compacting: Promise<void> | undefined
  #indexing: Promise<void> | undefined
  /** How many memories there were when the index last caught up. */
  #indexed: number
  /** After a failed compaction, the size of the journal at which to try again. */
  #compactAt = 0

  constructor(openGraph: OpenGraph, ports: GraphPorts) {
    this.#openGraph = openGraph
    this.#ports = ports
    this.#indexed = openGraph.graph.memoryCount
  }

  /** Is no file of the graph about to be replaced? */
  get idle(): boolean {
    return this.#compacting === undefined
  }

  /** About how many bytes of memory the graph takes. */
  get footprint(): number {
    const { writer, graph } = this.#openGraph
    return MEMORY_PER_BYTE * (writer.size + this.#snapshotSize()) + (graph.meanings?.footprint ?? 0)
  }

  afterWrite(): void {
    this.#compactIfDue()
    this.indexIfDue()
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#compacting
    await this.#indexing
  }

  #compactIfDue(): void {
    const { home, writer } = this.#openGraph
    const { size } = writer
    if (
      this.#compacting !== undefined ||
      size < this.#compactAt ||
      !isDue(size, this.#snapshotSize(), this.#ports.compactBytes)
    )
      return
    this.#compacting = writer
      .replace((journal, exclusive) => compact(home, journal, exclusive))
      .then(
        () => this.#ports.compacted({ graph: home.graph, bytes: this.#snapshotSize() }),
        (error: unknown) => {
          this.#compactAt = size * 2
          this.#ports.failed(error)
        },
      )
      .finally(() => {
        this.#compacting = undefined
      })
  }

  /** Before many memories have to be indexed for a search first. */
  indexIfDue(): void {
    const { graph } = this.#openGraph
    const isDue = graph.memoryCount >= this.#indexed + INDEX_EVERY || graph.indexes.behind > MOST_BEHIND
    if (this.#indexing !== undefined || !isDue) return
    this.#indexed = graph.memoryCount
    // Kept whenever twice as many are in, so that all writing of them together costs about as much as the last time.
    this.#indexing = graph.indexes
      .caughtUp()
      .then(() => this.keepIndexes(graph.indexes.keptCount))
      .finally(() => {
        this.#indexing = undefined
      })
  }

  /** Keeps the indexes on disk if at least so many memories came to them since, and not few. */
  async keepIndexes(least = 0): Promise<void> {
    const { home, graph } = this.#openGraph
    if (isFormer(home, this.#ports) || !this.#ports.isWritable()) return
    await keepIndexes(home, graph, this.#ports, least)
  }

  #snapshotSize(): number {
    const { files } = this.#openGraph.home
    return files.identify(snapshotPath(this.#openGraph.home))?.size ?? 0
  }
}
