import type { NewMemory, Receipt } from '../../domain/model.js'
import type { EventPath } from '../store.js'
import { type Chance, Draft } from './draft.js'
import { fold, isDue } from './fold.js'
import { decodeLine, type Frame } from './frames.js'
import { Graph } from './graph.js'
import { type GraphHome, readGraph, snapshotPath } from './journal.js'
import { createPace } from './pace.js'
import type { GraphRecord } from './records.js'
import { toFailure } from './trouble.js'
import { type Announce, GraphWriter } from './writer.js'

/** What a keeper needs from the store around it. */
export interface Surroundings {
  readonly chance: Chance
  /** Throws when nothing may be written. */
  readonly refuseUnlessWritable: () => void
  /** Told of everything that went wrong on disk. */
  readonly failed: (error: unknown) => void
  /** Told when a journal was folded. */
  readonly folded: (details: object) => void
  readonly announce: Announce
  /** The last owner of the folder may still be alive, so its journals must not be written to. */
  readonly tookOver: boolean
  /** Below this a journal is not worth folding. */
  readonly foldBytes: number
}

interface Waiting {
  readonly events: readonly NewMemory[]
  readonly at: EventPath
  readonly resolve: (receipts: readonly Receipt[]) => void
  readonly reject: (error: unknown) => void
}

/** The most events that share a flush: beyond it, waiting costs more than flushing twice. */
const MOST_EVENTS = 1000
/** How many bytes of memory a byte on disk takes once it is read and indexed: measured, and rounded up. */
const MEMORY_PER_BYTE = 4
const INDEX_EVERY = 500

/** Keeps one graph, in memory and on disk: the only one who writes to it. */
export class Keeper {
  readonly graph: Graph
  readonly #home: GraphHome
  readonly #around: Surroundings
  readonly #writer: GraphWriter
  #queue: Waiting[] = []
  #working: Promise<void> | undefined
  #folding: Promise<void> | undefined
  #indexing: Promise<void> | undefined
  /** How many memories there were when the index last caught up. */
  #indexed: number
  /** After a fold failed, the size at which to try again. */
  #foldAt = 0

  private constructor(home: GraphHome, around: Surroundings, graph: Graph, writer: GraphWriter) {
    this.#home = home
    this.#around = around
    this.graph = graph
    this.#indexed = graph.memoryCount
    this.#writer = writer
  }

  /** A graph of which nothing is on disk yet. */
  static create(home: GraphHome, around: Surroundings): Keeper {
    return new Keeper(home, around, emptyGraph(around), new GraphWriter(home, around, undefined))
  }

  /** Reads a graph, in slices, so that others are served meanwhile. */
  static async open(home: GraphHome, around: Surroundings): Promise<Keeper> {
    const graph = emptyGraph(around)
    const pace = createPace()
    const scan = await readGraph(home, async (lines) => {
      // The checksum says that we wrote it.
      for (const { bytes } of lines)
        for (const record of (decodeLine(bytes) as Frame<GraphRecord>).records) {
          graph.apply(record)
          const turn = pace()
          if (turn !== undefined) await turn
        }
    })
    await inSlices(graph.catchUp())
    return new Keeper(home, around, graph, new GraphWriter(home, around, scan))
  }

  /** Does the graph exist? One that is being created does once its first event is on disk. */
  get exists(): boolean {
    return this.graph.lastSeq > 0
  }

  get idle(): boolean {
    return this.#working === undefined && this.#folding === undefined
  }

  /** About how many bytes of memory the graph takes. */
  get footprint(): number {
    return MEMORY_PER_BYTE * (this.#writer.size + this.#snapshotSize())
  }

  append(events: readonly NewMemory[], at: EventPath): Promise<readonly Receipt[]> {
    if (events.length === 0) return Promise.resolve([])
    return new Promise((resolve, reject) => {
      this.#queue.push({ events, at, resolve, reject })
      this.#working ??= this.#work()
    })
  }

  async close(): Promise<void> {
    await this.#working
    await this.#folding
    await this.#indexing
    await this.#writer.close()
  }

  /** Everything that waits shares one flush; what arrives meanwhile shares the next. */
  async #work(): Promise<void> {
    // Those who write in the same turn come along.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const drafted = this.#draft(this.#take())
      if (drafted.length === 0) continue
      try {
        await this.#writer.append(drafted.map(({ records }) => records))
      } catch (error) {
        this.#around.failed(error)
        for (const { waiting } of drafted) waiting.reject(toFailure(error))
        continue
      }
      for (const { waiting, records } of drafted)
        waiting.resolve(records.map((record) => this.#apply(record)))
      this.#foldIfDue()
      this.#indexIfDue()
    }
    this.#working = undefined
  }

  #take(): Waiting[] {
    let events = 0
    const past = this.#queue.findIndex((waiting) => {
      events += waiting.events.length
      return events > MOST_EVENTS
    })
    return this.#queue.splice(0, past < 0 ? this.#queue.length : Math.max(1, past))
  }

  #draft(group: readonly Waiting[]): { waiting: Waiting; records: GraphRecord[] }[] {
    const draft = new Draft(this.graph, this.#around.chance)
    return group.flatMap((waiting) => {
      try {
        this.#around.refuseUnlessWritable()
        return [{ waiting, records: draft.add(waiting.events, waiting.at) }]
      } catch (error) {
        waiting.reject(error)
        return []
      }
    })
  }

  #apply(record: GraphRecord): Receipt {
    this.graph.apply(record)
    return {
      memoryId: record.id,
      status: record.op === 'recorded' ? 'recorded' : 'duplicate',
      ...this.graph.receipt(record.id),
    }
  }

  #foldIfDue(): void {
    const size = this.#writer.size
    if (
      this.#folding !== undefined ||
      size < this.#foldAt ||
      !isDue(size, this.#snapshotSize(), this.#around.foldBytes)
    )
      return
    this.#folding = this.#writer
      .replace((journal, exclusive) => fold(this.#home, journal, exclusive))
      .then(
        () => this.#around.folded({ graph: this.#home.graph, bytes: this.#snapshotSize() }),
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
    if (this.#indexing !== undefined || this.graph.memoryCount < this.#indexed + INDEX_EVERY) return
    this.#indexed = this.graph.memoryCount
    this.#indexing = inSlices(this.graph.catchUp()).finally(() => {
      this.#indexing = undefined
    })
  }

  #snapshotSize(): number {
    return this.#home.files.identify(snapshotPath(this.#home))?.size ?? 0
  }
}

async function inSlices(work: Iterable<void>): Promise<void> {
  const pace = createPace()
  for (const _ of work) {
    const turn = pace()
    if (turn !== undefined) await turn
  }
}

function emptyGraph({ chance }: Surroundings): Graph {
  return new Graph(Buffer.from(chance.randomBytes(4)).readInt32LE())
}
