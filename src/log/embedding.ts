import { toBytes } from '../domain/meaning/nearness.js'
import type { Meanings } from '../graph/embeddings.js'
import type { TextToRead } from '../graph/graph.js'
import { nextTurn } from '../loop/next-turn.js'
import type { Logger } from '../store/logger.js'
import {
  MAX_MEMORIES_OF_A_TURN,
  type Meaning,
  PATIENCE_MS,
  turnOf,
  WAITS_FOR,
  type Waiter,
} from '../store/meaning.js'

/** The parts of an open graph that the queue needs. */
export interface ReadableGraph {
  readonly memoryCount: number
  readonly meanings: Meanings | undefined
  /** The texts to embed, by the numbers of the memories. */
  textsToRead(numbers: readonly number[]): readonly TextToRead[]
}

/** A question that waits for the first `count` memories of a graph. */
interface Waiting {
  readonly graph: ReadableGraph
  readonly count: number
  readonly go: () => void
}

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

/**
 * Embeds the memories of open graphs in the background, in small batches and round-robin, but graphs that questions wait for
 * first. Texts are created only for the current batch, so that a backlog takes no memory.
 */
export class EmbeddingQueue {
  readonly meaning: Meaning
  readonly log: Logger
  readonly #patienceMs: number
  /** Graphs with unread memories, in order of their turns. */
  readonly #graphs = new Set<ReadableGraph>()
  readonly #questions = new Set<Waiting>()
  #isReading = false
  #isStopped = false
  #pause: NodeJS.Timeout | undefined
  #pauseMs = FIRST_PAUSE_MS

  constructor(meaning: Meaning, log: Logger, patienceMs = PATIENCE_MS) {
    this.meaning = meaning
    this.log = log
    this.#patienceMs = patienceMs
  }

  /** Adds a graph whose unread memories are to be embedded. */
  add(graph: ReadableGraph): void {
    if (this.#isStopped || !hasUnread(graph, graph.memoryCount)) return
    this.#graphs.add(graph)
    if (!this.#isReading && this.#pause === undefined) void this.#readAll()
  }

  /** Removes a graph that is closed, and discards the batch being read. */
  remove(graph: ReadableGraph): void {
    this.#graphs.delete(graph)
    this.#release((question) => question.graph === graph)
  }

  /** As `Store.caughtUp`. Does not wait for memories that are recorded after the call. */
  async caughtUp(graph: ReadableGraph, waiter: Waiter = 'question'): Promise<void> {
    const { memoryCount: count, meanings } = graph
    this.add(graph)
    if (!hasUnread(graph, count) || count - (meanings?.count ?? 0) >= WAITS_FOR[waiter]) return
    if (this.#pause !== undefined || this.#isStopped) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((go) => {
      const question = { graph, count, go }
      this.#questions.add(question)
      timer = setTimeout(() => this.#release((one) => one === question), this.#patienceMs).unref()
    })
    clearTimeout(timer)
  }

  /** Stops reading, and discards the batch being read. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#pause)
    this.#graphs.clear()
    this.#release(() => true)
  }

  async #readAll(): Promise<void> {
    this.#isReading = true
    try {
      for (let graph = this.#next(); graph !== undefined; graph = this.#next()) {
        await this.#readBatch(graph)
        this.#pauseMs = FIRST_PAUSE_MS
        // Encoding and writing may both complete without yielding to the event loop.
        await nextTurn()
      }
    } catch (error) {
      this.#tryLater(error)
    } finally {
      this.#isReading = false
    }
  }

  /** The next graph: one that a question waits for, if there is one. */
  #next(): ReadableGraph | undefined {
    const awaited = new Set(Array.from(this.#questions, ({ graph }) => graph))
    if (awaited.size > 0) for (const graph of this.#graphs) if (awaited.has(graph)) return graph
    const [first] = this.#graphs
    return first
  }

  /** Reads a batch. Afterwards, even on failure, the graph is queued again if memories are still unread. */
  async #readBatch(graph: ReadableGraph): Promise<void> {
    this.#graphs.delete(graph)
    const { meanings } = graph
    const numbers = meanings?.unread(graph.memoryCount, MAX_MEMORIES_OF_A_TURN) ?? []
    const texts = turnOf(graph.textsToRead(numbers))
    try {
      const vectors = await this.#encode(texts.map(({ text }) => text))
      if (meanings === undefined || meanings.isClosed || this.#isStopped) return
      const writing = meanings.put(
        texts.map(({ number, id }, i) => {
          const vector = vectors[i]
          if (vector === undefined) throw new Error('The encoder gave fewer vectors than it was given texts.')
          return { number, id, vector: toBytes(vector) }
        }),
      )
      this.#release((question) => question.graph === graph && !hasUnread(graph, question.count))
      await writing
    } finally {
      if (!this.#isStopped && hasUnread(graph, graph.memoryCount)) this.#graphs.add(graph)
    }
  }

  async #encode(texts: readonly string[]): Promise<readonly Float32Array[]> {
    if (texts.length === 0) return []
    return this.meaning.encode(texts, { isAwaited: () => this.#questions.size > 0 })
  }

  /** Releases all questions, since they must not wait for a failing reader, and schedules the next attempt. */
  #tryLater(error: unknown): void {
    this.#release(() => true)
    if (this.#isStopped) return
    if (this.#pauseMs === FIRST_PAUSE_MS)
      this.log.warn({ err: error }, 'Memories cannot be read for meaning at the moment; trying again later.')
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      void this.#readAll()
    }, this.#pauseMs).unref()
    this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs)
  }

  #release(isOver: (question: Waiting) => boolean): void {
    for (const question of this.#questions)
      if (isOver(question)) {
        this.#questions.delete(question)
        question.go()
      }
  }
}

/** Is one of the first `count` memories of an open graph unread? */
function hasUnread({ meanings }: ReadableGraph, count: number): boolean {
  return meanings !== undefined && !meanings.isClosed && meanings.unread(count, 1).length > 0
}
