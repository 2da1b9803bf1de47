import type { NewMemory, Receipt } from '../../domain/model.js'
import type { EventPath } from '../store.js'
import { type Chance, Draft } from './draft.js'
import { decodeLine, type Frame } from './frames.js'
import { Graph } from './graph.js'
import {
  createJournal,
  type GraphHome,
  type GraphScan,
  JournalRewrite,
  openJournal,
  readGraph,
} from './journal.js'
import type { Log } from './log.js'
import { createPace } from './pace.js'
import type { GraphRecord } from './records.js'
import { toFailure } from './trouble.js'

/** What a keeper needs from the store around it. */
export interface Surroundings {
  readonly chance: Chance
  /** Throws when nothing may be written. */
  readonly refuseUnlessWritable: () => void
  /** Told of everything that went wrong on disk. */
  readonly failed: (error: unknown) => void
  /** Writes down that a graph is about to be, and that it is. */
  readonly announce: { creating(): Promise<void>; created(): Promise<void> }
  /** The last owner of the folder may still be alive, so its journals must not be written to. */
  readonly tookOver: boolean
}

interface Waiting {
  readonly events: readonly NewMemory[]
  readonly at: EventPath
  readonly resolve: (receipts: readonly Receipt[]) => void
  readonly reject: (error: unknown) => void
}

/** The most events that share a flush: beyond it, waiting costs more than flushing twice. */
const MOST_EVENTS = 2000

/** Keeps one graph, in memory and on disk: the only one who writes to it. */
export class Keeper {
  readonly graph: Graph
  readonly #home: GraphHome
  readonly #around: Surroundings
  #scan: GraphScan | undefined
  #journal: Log<GraphRecord> | undefined
  #queue: Waiting[] = []
  #working: Promise<void> | undefined
  closed = false

  private constructor(home: GraphHome, around: Surroundings) {
    this.#home = home
    this.#around = around
    this.graph = new Graph(Buffer.from(around.chance.randomBytes(4)).readInt32LE())
  }

  /** A graph of which nothing is on disk yet. */
  static create(home: GraphHome, around: Surroundings): Keeper {
    return new Keeper(home, around)
  }

  static async open(home: GraphHome, around: Surroundings): Promise<Keeper> {
    const keeper = new Keeper(home, around)
    const pace = createPace()
    keeper.#scan = await readGraph(home, async (lines) => {
      for (const { bytes } of lines) {
        // The checksum says that we wrote it.
        for (const record of (decodeLine(bytes) as Frame<GraphRecord>).records) {
          keeper.graph.apply(record)
          const turn = pace()
          if (turn !== undefined) await turn
        }
      }
    })
    for (const _ of keeper.graph.catchUp()) {
      const turn = pace()
      if (turn !== undefined) await turn
    }
    return keeper
  }

  /** Does the graph exist? One that is being created does once its first event is on disk. */
  get exists(): boolean {
    return this.graph.lastSeq > 0
  }

  get idle(): boolean {
    return this.#working === undefined
  }

  append(events: readonly NewMemory[], at: EventPath): Promise<readonly Receipt[]> {
    if (events.length === 0) return Promise.resolve([])
    return new Promise((resolve, reject) => {
      this.#queue.push({ events, at, resolve, reject })
      this.#working ??= this.#work()
    })
  }

  async close(): Promise<void> {
    this.closed = true
    await this.#working
    await this.#journal?.close()
  }

  /** Everything that waits shares one flush; what arrives meanwhile shares the next. */
  async #work(): Promise<void> {
    // Those who write in the same turn come along.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const group = this.#take()
      const drafted = this.#draft(group)
      if (drafted.length === 0) continue
      try {
        await this.#write(drafted.map(({ records }) => records))
      } catch (error) {
        this.#around.failed(error)
        for (const { waiting } of drafted) waiting.reject(toFailure(error))
        continue
      }
      for (const { waiting, records } of drafted)
        waiting.resolve(records.map((record) => this.#apply(record)))
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

  async #write(groups: readonly (readonly GraphRecord[])[]): Promise<void> {
    if (this.#scan === undefined && this.#journal === undefined) {
      await this.#around.announce.creating()
      const journal = await createJournal(this.#home, groups)
      try {
        await this.#around.announce.created()
      } catch (error) {
        await journal.close()
        throw error
      }
      this.#journal = journal
      return
    }
    this.#journal ??= await this.#openJournal()
    await this.#journal.append(groups)
  }

  async #openJournal(): Promise<Log<GraphRecord>> {
    const scan = this.#scan
    if (scan === undefined) throw new Error('A journal is opened only after it was read.')
    const { journal, snapshot } = scan
    if (!this.#around.tookOver && journal.lastSeq >= snapshot.through) return openJournal(this.#home, scan)
    const rewrite = await JournalRewrite.begin(this.#home, snapshot.through, journal.unfolded)
    try {
      await rewrite.copyTo(journal.size)
      return await rewrite.finish(this.graph.lastSeq)
    } catch (error) {
      await rewrite.abandon()
      throw error
    }
  }

  #apply(record: GraphRecord): Receipt {
    this.graph.apply(record)
    return {
      memoryId: record.id,
      status: record.op === 'recorded' ? 'recorded' : 'duplicate',
      ...this.graph.receipt(record.id),
    }
  }
}
