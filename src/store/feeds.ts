import type { GraphId, MemoryId } from '../domain/model.js'

/** A statement that is no more. */
export interface ErasedStatement {
  readonly place: number
  readonly memoryId: MemoryId
}

/** Somebody waits for what happens to a graph. It holds nothing of the graph, and ends with `close`. */
export interface Following {
  /** The last place of the graph when this began. */
  readonly lastPlace: number
  /** Has something been erased that `news` has not told? */
  readonly hasErased: boolean
  /** Is there nothing more to come: the graph is deleted, the store is closed, or `close` was called? */
  readonly isOver: boolean
  /** What has happened since this was asked last; at once if something has, else as soon as something does or `ms` are over. */
  news(ms: number): Promise<News>
  close(): void
}

interface News {
  /** Every statement that was erased, at its place. */
  readonly erased: readonly ErasedStatement[]
  /** Something may have been recorded. */
  readonly isChanged: boolean
  readonly isOver: boolean
}

/** The most erased statements that wait for one follower: one that takes none of them for so long is let go. */
const MOST_WAITING = 200_000

/** Who follows which graph of a store, and what is still to be told to each. */
export class Feeds {
  readonly #byGraph = new Map<GraphId, Set<Follower>>()

  /** The graphs that are followed. */
  get graphs(): readonly GraphId[] {
    return [...this.#byGraph.keys()]
  }

  isFollowed(graphId: GraphId): boolean {
    return this.#byGraph.has(graphId)
  }

  /** Follows a graph from now on; `lastPlace` is its last place, asked for afterwards. */
  async follow(graphId: GraphId, lastPlace: () => Promise<number>): Promise<Following> {
    const followers = this.#byGraph.get(graphId) ?? new Set()
    this.#byGraph.set(graphId, followers)
    const follower = new Follower(() => {
      followers.delete(follower)
      if (followers.size === 0 && this.#byGraph.get(graphId) === followers) this.#byGraph.delete(graphId)
    })
    followers.add(follower)
    try {
      follower.lastPlace = await lastPlace()
      return follower
    } catch (error) {
      follower.close()
      throw error
    }
  }

  /** Something may have been recorded. */
  recorded(graphId: GraphId): void {
    for (const follower of this.#byGraph.get(graphId) ?? []) follower.tell({ isChanged: true })
  }

  /** Something was erased; `statements` is asked only when somebody follows. */
  erased(graphId: GraphId, statements: () => readonly ErasedStatement[]): void {
    const followers = this.#byGraph.get(graphId)
    if (followers === undefined) return
    const erased = statements()
    for (const follower of followers) follower.tell({ erased })
  }

  /** The graph is no more, or nobody can say what became of it. */
  over(graphId: GraphId): void {
    for (const follower of this.#byGraph.get(graphId) ?? []) follower.tell({ isOver: true })
  }

  close(): void {
    for (const graphId of this.graphs) this.over(graphId)
  }
}

/** One follower: what has happened since it asked last, and the question that waits. */
class Follower implements Following {
  lastPlace = 0
  readonly #leave: () => void
  #erased: ErasedStatement[] = []
  #isChanged = false
  #isOver = false
  #wake: (() => void) | undefined

  constructor(leave: () => void) {
    this.#leave = leave
  }

  get hasErased(): boolean {
    return this.#erased.length > 0
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async news(ms: number): Promise<News> {
    if (!this.#hasNews) await this.#happening(ms)
    const news = { erased: this.#erased, isChanged: this.#isChanged, isOver: this.#isOver }
    this.#erased = []
    this.#isChanged = false
    return news
  }

  close(): void {
    this.#leave()
    this.tell({ isOver: true })
  }

  tell({ erased = [], isChanged = false, isOver = false }: Partial<News>): void {
    for (const statement of erased) this.#erased.push(statement)
    this.#isChanged ||= isChanged
    this.#isOver ||= isOver || this.#erased.length > MOST_WAITING
    this.#wake?.()
  }

  get #hasNews(): boolean {
    return this.#isChanged || this.#isOver || this.hasErased
  }

  #happening(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    }).then(() => {
      this.#wake = undefined
    })
  }
}
