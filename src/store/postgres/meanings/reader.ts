import { setTimeout as sleep } from 'node:timers/promises'
import { memoryText } from '../../../domain/meaning/memory-text.js'
import type { GraphId } from '../../../domain/model.js'
import { type Meaning, PATIENCE_MS, turnOf, WAITS_FOR, type Waiter } from '../../meaning.js'
import type { Database } from '../connection/database.js'
import { payloadOf } from '../schema/rows.js'
import { drawNumber, keepBatch, type Reader, releaseGraph, takeBatch, type Unread } from './batch.js'
import type { CodeCache } from './code-cache.js'
import { graphsBehind, type Progress } from './progress.js'

export interface MeaningReaderOptions {
  readonly database: Database
  readonly meaning: Meaning
  readonly codes: CodeCache
  readonly log: { warn(details: object, message: string): void }
}

/** How often this process looks for what others have left unread. */
const SWEEP_MS = 15_000
/** How soon it looks again at a graph that another process reads. */
const BUSY_MS = 1_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** How often it is looked whether another process has read what a question waits for. */
const POLL_MS = 100

/**
 * Reads memories for meaning in the background, a batch of one graph at a time and the graphs in turn, those first that
 * questions wait for. What it cannot read now is left for later: it affects no write and no question.
 */
export class MeaningReader {
  readonly #options: MeaningReaderOptions
  /** The graphs that may have something to read, the next one first. */
  readonly #due = new Set<GraphId>()
  /** The graphs that other processes leave to this one. */
  readonly #held = new Set<GraphId>()
  /** The graphs that another process reads, to be looked at again. */
  readonly #busy = new Set<GraphId>()
  /** The questions and events that wait until their graph is read. */
  readonly #waiting = new Set<{ readonly graphId: GraphId }>()
  /** What they wait for at the moment: a batch. */
  readonly #wakes = new Set<() => void>()
  readonly #closing = new AbortController()
  readonly #sweeping: NodeJS.Timeout
  #reader: Reader | undefined
  #running: Promise<void> | undefined
  #looking: Promise<void> | undefined
  #failures = 0
  #isPausing = false
  #isBlind = false

  constructor(options: MeaningReaderOptions) {
    this.#options = options
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()
    this.#sweep()
  }

  /** Something was recorded in a graph. */
  wake(graphId: GraphId): void {
    if (this.#isClosed) return
    this.#due.add(graphId)
    this.#running ??= this.#run()
  }

  /** See `Store.caughtUp`. */
  async caughtUp(graphId: GraphId, waiter: Waiter = 'question'): Promise<void> {
    const { database, meaning } = this.#options
    const until = performance.now() + PATIENCE_MS
    const waiting = { graphId }
    try {
      while (!this.#isClosed) {
        // A database that does not answer has the question fail by itself.
        const behind = await graphsBehind(database, meaning.identity, [graphId]).catch(() => [])
        const left = until - performance.now()
        if (left <= 0 || !behind.some((one) => one.unread < WAITS_FOR[waiter] && this.#isAwaited(one))) return
        this.#waiting.add(waiting)
        this.wake(graphId)
        await this.#nextBatch(Math.min(left, POLL_MS))
      }
    } finally {
      this.#waiting.delete(waiting)
    }
  }

  /** Waits for the batch under way, and leaves the rest to other processes. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    this.#closing.abort()
    this.#tell()
    await Promise.all([this.#running, this.#looking])
    const reader = this.#reader
    if (reader === undefined) return
    const released = [...this.#held].map((graphId) => releaseGraph(this.#options.database, graphId, reader))
    await Promise.allSettled(released)
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /** Nothing is awaited while reading fails, nor what a process that was opened later reads with another model. */
  #isAwaited({ others }: Progress): boolean {
    return !this.#isPausing && others < (this.#reader?.number ?? Infinity)
  }

  /** Never rejects. A graph that is due again, or still, comes after the others. */
  async #run(): Promise<void> {
    for (let graphId = this.#next(); graphId !== undefined; graphId = this.#next()) {
      this.#due.delete(graphId)
      try {
        if (await this.#readSome(graphId)) this.#due.add(graphId)
      } catch (error) {
        this.#due.add(graphId)
        await this.#pauseAfter(error)
      }
      this.#tell()
    }
    this.#failures = 0
    this.#running = undefined
  }

  /** A graph for which a question waits, if there is one that is due; undefined when there is nothing to do. */
  #next(): GraphId | undefined {
    if (this.#isClosed) return undefined
    const awaited = new Set(Array.from(this.#waiting, ({ graphId }) => graphId))
    if (awaited.size > 0) for (const graphId of this.#due) if (awaited.has(graphId)) return graphId
    const [first] = this.#due
    return first
  }

  /** Reads one batch; false when there was nothing to read. */
  async #readSome(graphId: GraphId): Promise<boolean> {
    const { database, meaning } = this.#options
    this.#reader ??= { model: meaning.identity, number: await drawNumber(database) }
    const taken = await takeBatch(database, graphId, this.#reader)
    if (taken === 'busy') this.#lookAgain(graphId)
    if (taken === 'busy' || taken === undefined) {
      this.#held.delete(graphId)
      return false
    }
    this.#held.add(graphId)
    const memories = turnOf(taken.memories.map(withText))
    const texts = memories.map(({ text }) => text)
    const vectors = await meaning.encode(texts, { isAwaited: () => this.#waiting.size > 0 })
    await keepBatch(database, graphId, this.#reader, { ...taken, memories }, vectors)
    this.#failures = 0
    return true
  }

  /** The process that reads the graph now may have looked just before this one recorded. */
  #lookAgain(graphId: GraphId): void {
    if (this.#busy.has(graphId)) return
    this.#busy.add(graphId)
    setTimeout(() => {
      this.#busy.delete(graphId)
      this.wake(graphId)
    }, BUSY_MS).unref()
  }

  /** The first failure is told, and not those that follow it. */
  async #pauseAfter(error: unknown): Promise<void> {
    if (this.#isClosed) return
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures)
    this.#failures += 1
    if (this.#failures === 1)
      this.#options.log.warn(
        { err: error },
        'Memories cannot be read for meaning at the moment; trying again.',
      )
    this.#isPausing = true
    this.#tell()
    await sleep(pause, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined)
    this.#isPausing = false
  }

  #sweep(): void {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  /** When it fails, that is told once, and it is tried again the next time. */
  async #look(): Promise<void> {
    const { database, meaning, codes } = this.#options
    try {
      for (const { graph_id } of await graphsBehind(database, meaning.identity)) this.wake(graph_id)
      await codes.forgetOutdated(database)
      this.#isBlind = false
    } catch (error) {
      if (!this.#isClosed && !this.#isBlind)
        this.#options.log.warn(
          { err: error },
          'Unread memories cannot be looked for at the moment; trying again.',
        )
      this.#isBlind = true
    }
  }

  #nextBatch(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#wakes.delete(done)
        resolve()
      }
      const timer = setTimeout(done, patience)
      this.#wakes.add(done)
    })
  }

  #tell(): void {
    for (const done of [...this.#wakes]) done()
  }
}

function withText(memory: Unread) {
  return { ...memory, text: memoryText(memory.context_id, payloadOf(memory.payload)) }
}
