import type { GraphId, MemoryId } from '../domain/model.js'

/** A statement that has been erased. */
export interface ErasedStatement {
  readonly place: number
  readonly memoryId: MemoryId
}

/** A subscription to the changes of a graph. It does not keep the graph in memory, and ends with `close`. */
export interface Following {
  /** The last place of the graph when the subscription began. */
  readonly lastPlace: number
  /** Whether there are erasures that `news` has not returned yet. */
  readonly hasErased: boolean
  /** True when the graph was deleted, the store was closed, or `close` was called. */
  readonly isOver: boolean
  /** The changes since the last call. Waits at most `ms` for a change if there is none yet. */
  news(ms: number): Promise<News>
  close(): void
}

interface News {
  readonly erased: readonly ErasedStatement[]
  /** Events may have been recorded. */
  readonly isChanged: boolean
  readonly isOver: boolean
}

/** The subscription of a follower that has not fetched this many erasures is ended. */
const MAX_UNFETCHED_ERASURES = 200_000

/** The subscriptions to the graphs of a store. */
export class Feeds {
  readonly #byGraph = new Map<GraphId, Set<Follower>>()

  /** The graphs with subscriptions. */
  get graphs(): readonly GraphId[] {
    return [...this.#byGraph.keys()]
  }

  isFollowed(graphId: GraphId): boolean {
    return this.#byGraph.has(graphId)
  }

  /** Subscribes to a graph. `lastPlace` is called afterwards, so that no change is missed in between. */
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

  /** To be called when events may have been recorded. */
  recorded(graphId: GraphId): void {
    for (const follower of this.#byGraph.get(graphId) ?? []) follower.notify({ isChanged: true })
  }

  /** To be called after an erasure. `statements` is called only if the graph has subscriptions. */
  erased(graphId: GraphId, statements: () => readonly ErasedStatement[]): void {
    const followers = this.#byGraph.get(graphId)
    if (followers === undefined) return
    const erased = statements()
    for (const follower of followers) follower.notify({ erased })
  }

  /** To be called when the graph was deleted, or when its changes can no longer be observed. */
  over(graphId: GraphId): void {
    for (const follower of this.#byGraph.get(graphId) ?? []) follower.notify({ isOver: true })
  }

  close(): void {
    for (const graphId of this.graphs) this.over(graphId)
  }
}

class Follower implements Following {
  lastPlace = 0
  isOver = false
  readonly #leave: () => void
  #erased: ErasedStatement[] = []
  #isChanged = false
  #wake: () => void = () => undefined

  constructor(leave: () => void) {
    this.#leave = leave
  }

  get hasErased(): boolean {
    return this.#erased.length > 0
  }

  async news(ms: number): Promise<News> {
    if (!this.#isChanged && !this.isOver && !this.hasErased) await this.#waitForNews(ms)
    const news = { erased: this.#erased, isChanged: this.#isChanged, isOver: this.isOver }
    this.#erased = []
    this.#isChanged = false
    return news
  }

  close(): void {
    this.#leave()
    this.notify({ isOver: true })
  }

  notify({ erased = [], isChanged = false, isOver = false }: Partial<News>): void {
    for (const statement of erased) this.#erased.push(statement)
    this.#isChanged ||= isChanged
    this.isOver ||= isOver || this.#erased.length > MAX_UNFETCHED_ERASURES
    this.#wake()
  }

  async #waitForNews(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }
}
