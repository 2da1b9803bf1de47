import { acceptBurst } from '../../loop/accept-burst.js'
import { nextTurn } from '../../loop/next-turn.js'
import type { Expected } from './fair-queue.js'
import { FewAtOnce } from './few-at-once.js'
import { LoopTurns } from './loop-turns.js'
import { Pieces } from './pieces.js'

/** How many reads a key has under way at once: what each has found so far is kept while it pauses. */
const READS_OF_A_KEY = 8
/** How many erasures a key has under way at once: each rewrites what a graph keeps. */
const ERASURES_OF_A_KEY = 2
/** How many long bodies of a key are parsed at once: what is made of one may take twenty times as much room. */
const PARSED_OF_A_KEY = 1

/** What the store waits by, for what others have begun: no id of a key has a space, so that nobody shares its turns. */
const STORE = ' store'

/** The event loop, which all share, and where requests wait for it: at the door, and again when their work can begin. */
export class Loop {
  readonly door = new LoopTurns(acceptBurst)
  readonly turns = new LoopTurns(acceptBurst, STORE)
  readonly reads = new FewAtOnce(READS_OF_A_KEY)
  readonly #pieces = new Pieces()
  readonly #erasures = new FewAtOnce(ERASURES_OF_A_KEY)
  readonly #parsed = new FewAtOnce(PARSED_OF_A_KEY)
  readonly #lines = [this.door, this.reads, this.turns]

  /** How many requests wait. */
  get waiting(): number {
    return this.#lines.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** All the waiting of a request of the key that comes now. */
  expected(key: string): Expected {
    let ms = 0
    let since = Number.POSITIVE_INFINITY
    for (const line of this.#lines) {
      const expected = line.expected(key)
      ms += expected.ms
      since = Math.min(since, expected.since)
    }
    return { ms, since }
  }

  /** Does work of the key when it is its turn. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.turns.take(key)?.then(work) ?? work()
  }

  /** Resolves when what came from disk or database may be worked on; undefined when it may be at once. */
  turnOfStore(): Promise<void> | undefined {
    return this.turns.take(STORE)
  }

  /** Parses a long body of the key, when no other of it is being parsed and it is its turn. */
  parse<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#parsed.run(key, () => this.inTurn(key, work))
  }

  /** Lets a request of the key in; undefined when it may begin at once. */
  enter(key: string): Promise<void> | undefined {
    this.#pieces.asked(key)
    return this.door.take(key)
  }

  /** Makes a piece of a stream of the key, when it is its turn (see `Pieces`) and nobody is to be accepted. */
  piece<T>(key: string, make: () => Promise<T>): Promise<T> {
    return this.#pieces.run(key, () => nextTurn().then(() => this.turns.take(key)), make)
  }

  /** Does a read of the key, when few others of it are under way and it is its turn. */
  read<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.reads.run(key, () => this.inTurn(key, work))
  }

  /** The same for an erasure. */
  erase<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#erasures.run(key, () => this.inTurn(key, work))
  }
}
