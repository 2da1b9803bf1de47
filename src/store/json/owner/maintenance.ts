import { inSlices } from '../disk/yielding.js'
import { compact, isDue } from '../graph-files/compact.js'
import { snapshotPath } from '../graph-files/journal.js'
import type { GraphPorts } from '../graph-files/ports.js'
import type { OpenGraph } from '../open-graph/open-graph.js'

/** How many bytes of memory a byte on disk takes once it is read and indexed: measured, and rounded up. */
const MEMORY_PER_BYTE = 4
const INDEX_EVERY = 500

/** What is done for a graph besides writing, while it is written to: folding its journal and indexing its words. */
export class Maintenance {
  readonly #held: OpenGraph
  readonly #around: GraphPorts
  #folding: Promise<void> | undefined
  #indexing: Promise<void> | undefined
  /** How many memories there were when the index last caught up. */
  #indexed: number
  /** After a fold failed, the size at which to try again. */
  #foldAt = 0

  constructor(held: OpenGraph, around: GraphPorts) {
    this.#held = held
    this.#around = around
    this.#indexed = held.graph.memoryCount
  }

  /** Is no file of the graph about to be replaced? */
  get idle(): boolean {
    return this.#folding === undefined
  }

  /** About how many bytes of memory the graph takes. */
  get footprint(): number {
    return MEMORY_PER_BYTE * (this.#held.writer.size + this.#snapshotSize())
  }

  afterWrite(): void {
    this.#foldIfDue()
    this.#indexIfDue()
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#folding
    await this.#indexing
  }

  #foldIfDue(): void {
    const { home, writer } = this.#held
    const { size } = writer
    if (
      this.#folding !== undefined ||
      size < this.#foldAt ||
      !isDue(size, this.#snapshotSize(), this.#around.foldBytes)
    )
      return
    this.#folding = writer
      .replace((journal, exclusive) => compact(home, journal, exclusive))
      .then(
        () => this.#around.folded({ graph: home.graph, bytes: this.#snapshotSize() }),
        (error: unknown) => {
          this.#foldAt = size * 2
          this.#around.failed(error)
        },
      )
      .finally(() => {
        this.#folding = undefined
      })
  }

  /** Now and then, so that nobody who searches has to wait for a long catching up. */
  #indexIfDue(): void {
    const { graph } = this.#held
    if (this.#indexing !== undefined || graph.memoryCount < this.#indexed + INDEX_EVERY) return
    this.#indexed = graph.memoryCount
    this.#indexing = inSlices(graph.catchUp()).finally(() => {
      this.#indexing = undefined
    })
  }

  #snapshotSize(): number {
    const { files } = this.#held.home
    return files.identify(snapshotPath(this.#held.home))?.size ?? 0
  }
}
