import { toBytes } from '../../../domain/meaning/nearness.js'
import type { MemoryId } from '../../../domain/model.js'
import { nextTurn } from '../../../loop/next-turn.js'
import type { Logger } from '../../logger.js'
import { type Meaning, PATIENCE_MS, WAITS_FOR, type Waiter } from '../../meaning.js'
import type { Meanings } from './meanings.js'

/** An open graph, as far as it is read for meaning. */
export interface ReadableGraph {
  readonly memoryCount: number
  readonly meanings: Meanings | undefined
  /** What is read of memories, by their numbers. */
  textsToRead(numbers: readonly number[]): readonly TextToRead[]
}

export interface TextToRead {
  readonly number: number
  readonly id: MemoryId
  readonly text: string
}

/** A question that waits for the first `count` memories of a graph. */
interface Waiting {
  readonly graph: ReadableGraph
  readonly count: number
  readonly go: () => void
}

/** How many memories are read at once: enough to be quick, and few enough that no graph waits for long. */
const SOME = 16
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/**
 * Reads the memories of open graphs for meaning in the background, a few at a time and the graphs in turn. Texts are
 * made only for the memories that are being read, so that a backlog takes no memory.
 */
export class MeaningReader {
  readonly meaning: Meaning
  readonly log: Logger
  /** Graphs with unread memories, the one whose turn it is first. */
  readonly #graphs = new Set<ReadableGraph>()
  readonly #questions = new Set<Waiting>()
  #isReading = false
  #isStopped = false
  #pause: NodeJS.Timeout | undefined
  #pauseMs = FIRST_PAUSE_MS

  constructor(meaning: Meaning, log: Logger) {
    this.meaning = meaning
    this.log = log
  }

  /** Reads what of the graph has not been read, sooner or later. */
  add(graph: ReadableGraph): void {
    if (this.#isStopped || !hasUnread(graph, graph.memoryCount)) return
    this.#graphs.add(graph)
    if (!this.#isReading && this.#pause === undefined) void this.#readAll()
  }

  /** For a graph that is closed: what is being read of it is dropped. */
  remove(graph: ReadableGraph): void {
    this.#graphs.delete(graph)
    this.#release((question) => question.graph === graph)
  }

  /** As `Store.caughtUp`. Memories that are recorded meanwhile are not waited for. */
  async caughtUp(graph: ReadableGraph, waiter: Waiter = 'question'): Promise<void> {
    const { memoryCount: count, meanings } = graph
    this.add(graph)
    if (!hasUnread(graph, count) || count - (meanings?.count ?? 0) >= WAITS_FOR[waiter]) return
    if (this.#pause !== undefined || this.#isStopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => question.go(), PATIENCE_MS).unref()
      const question: Waiting = {
        graph,
        count,
        go: () => {
          clearTimeout(timer)
          this.#questions.delete(question)
          resolve()
        },
      }
      this.#questions.add(question)
    })
  }

  /** Nothing more is read; what is being read is dropped. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#pause)
    this.#graphs.clear()
    this.#release(() => true)
  }

  async #readAll(): Promise<void> {
    this.#isReading = true
    try {
      for (let [graph] = this.#graphs; graph !== undefined; [graph] = this.#graphs) {
        await this.#readSome(graph)
        this.#pauseMs = FIRST_PAUSE_MS
        // Encoding and writing may both be done without giving way to the rest of the service.
        await nextTurn()
      }
    } catch (error) {
      this.#tryLater(error)
    } finally {
      this.#isReading = false
    }
  }

  /** Afterwards the graph is last in line if more of it is unread, also when this fails. */
  async #readSome(graph: ReadableGraph): Promise<void> {
    this.#graphs.delete(graph)
    const { meanings } = graph
    const texts = graph.textsToRead(meanings?.unread(graph.memoryCount, SOME) ?? [])
    try {
      const vectors = texts.length > 0 ? await this.meaning.encode(texts.map(({ text }) => text)) : []
      if (meanings === undefined || meanings.isClosed || this.#isStopped) return
      const written = meanings.put(
        texts.map(({ number, id }, i) => {
          const vector = vectors[i]
          if (vector === undefined) throw new Error('The encoder gave fewer vectors than it was given texts.')
          return { number, id, vector: toBytes(vector) }
        }),
      )
      this.#release((question) => question.graph === graph && !hasUnread(graph, question.count))
      await written
    } finally {
      if (!this.#isStopped && hasUnread(graph, graph.memoryCount)) this.#graphs.add(graph)
    }
  }

  /** No question waits for a reader that cannot read. */
  #tryLater(error: unknown): void {
    this.#release(() => true)
    if (this.#isStopped) return
    if (this.#pauseMs === FIRST_PAUSE_MS)
      this.log.warn({ err: error }, 'Memories cannot be read for meaning at the moment; trying again later.')
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      void this.#readAll()
    }, this.#pauseMs).unref()
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.#pauseMs)
  }

  #release(isOver: (question: Waiting) => boolean): void {
    for (const question of this.#questions) if (isOver(question)) question.go()
  }
}

/** Is one of the first `count` memories of an open graph unread? */
function hasUnread({ meanings }: ReadableGraph, count: number): boolean {
  return meanings !== undefined && !meanings.isClosed && meanings.unread(count, 1).length > 0
}
