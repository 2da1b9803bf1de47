import { acceptBurst } from '../../loop/accept-burst.js'
import { nextTurn } from '../../loop/next-turn.js'
import { ConcurrencyLimit } from './concurrency-limit.js'
import type { Expected } from './fair-queue.js'
import { LoopQueue } from './loop-queue.js'
import { Pieces } from './pieces.js'

/** Limits memory: a read that pauses keeps what it has found so far. */
const MAX_READS_PER_KEY = 8
/** Limits disk load: an erasure rewrites the files or tables of a graph. */
const MAX_ERASURES_PER_KEY = 2
/** Limits memory: a parsed body may take twenty times the size of its text. */
const MAX_PARSED_BODIES_PER_KEY = 1

/** The queue key of work in the store. Key ids have no space, so no API key can use it. */
const STORE = ' store'

/** The queues for the event loop: a request waits when it arrives, and again when its work is ready to run. */
export class Loop {
  readonly arrivals = new LoopQueue(acceptBurst)
  readonly ready = new LoopQueue(acceptBurst, STORE)
  readonly reads = new ConcurrencyLimit(MAX_READS_PER_KEY)
  readonly #pieces = new Pieces()
  readonly #erasures = new ConcurrencyLimit(MAX_ERASURES_PER_KEY)
  readonly #parsing = new ConcurrencyLimit(MAX_PARSED_BODIES_PER_KEY)
  readonly #queues = [this.arrivals, this.reads, this.ready]

  /** Number of requests in the queues. */
  get waiting(): number {
    return this.#queues.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** The expected wait in all queues of a request of the key that arrives now. */
  expected(key: string): Expected {
    let ms = 0
    let since = Number.POSITIVE_INFINITY
    for (const queue of this.#queues) {
      const expected = queue.expected(key)
      ms += expected.ms
      since = Math.min(since, expected.since)
    }
    return { ms, since }
  }

  /** Runs work when the queue comes to its key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.ready.enter(key)?.then(work) ?? work()
  }

  /**
   * Resolves when the store may go on after waiting for a disk or database; undefined when it may at once.
   */
  resumeStore(): Promise<void> | undefined {
    return this.ready.enter(STORE)
  }

  /** Parses a long body, one at a time for each key. */
  parse<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#parsing.run(key, () => this.run(key, work))
  }

  /** Resolves when a new request of the key may start; undefined when it may at once. */
  enter(key: string): Promise<void> | undefined {
    this.#pieces.asked(key)
    return this.arrivals.enter(key)
  }

  /** Produces a piece of a stream (see `Pieces`), after new connections. */
  piece<T>(key: string, make: () => Promise<T>): Promise<T> {
    return this.#pieces.run(key, () => nextTurn().then(() => this.ready.enter(key)), make)
  }

  /** Runs a read, a few at a time for each key. */
  read<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.reads.run(key, () => this.run(key, work))
  }

  /** Runs an erasure, a few at a time for each key. */
  erase<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#erasures.run(key, () => this.run(key, work))
  }
}
