import { Failure } from '../../src/domain/failure.js'
import type { GraphId, MemoryId } from '../../src/domain/model.js'
import type { Following } from '../../src/store/store.js'
import type { Oracle } from './oracle.js'
import type { Process } from './world.js'

interface Delivered {
  readonly place: number
  readonly memoryId: MemoryId
  readonly before: number
  readonly isErased: boolean
}

const NEWS_MS = 1_000

/** Follows a graph as the feed of the service does, and holds what it is given against the log. */
export class Follower {
  readonly process: Process
  readonly epoch: string | undefined
  following: Following | undefined
  /** What a client of this feed knows, by place. */
  readonly known = new Map<number, MemoryId>()
  isOver = false
  /** How far a statement or its erasure must have been given. */
  place = 0
  #after = 0
  #delivered: Delivered[] = []
  #error: unknown

  constructor(process: Process, epoch: string | undefined) {
    this.process = process
    this.epoch = epoch
  }

  /** Never rejects. `erased` are the memories whose erasure has been acknowledged. */
  async run(graphId: GraphId, fromStart: boolean, erased: () => ReadonlySet<MemoryId>): Promise<void> {
    try {
      const following = await this.process.store.follow(graphId)
      this.following = following
      this.place = fromStart ? 0 : following.lastPlace
      this.#after = this.place
      while (!following.isOver) await this.#round(graphId, following, erased)
    } catch (error) {
      if (!(error instanceof Failure)) this.#error = error
    } finally {
      this.isOver = true
      this.following?.close()
    }
  }

  /** Throws when something was given twice, left out, or is not what was recorded. */
  check(oracle: Oracle): void {
    if (this.#error !== undefined) throw this.#error
    for (const { place, memoryId, before, isErased } of this.#delivered.splice(0)) {
      if (place <= before) throw new Error(`A feed gave ${place} after ${before}.`)
      if (isErased) throw new Error(`A feed gave ${memoryId}, which had been erased.`)
      if (oracle.seen.get(place)?.has(memoryId) !== true)
        throw new Error(`A feed gave ${memoryId} at ${place}, which never was there.`)
      for (const between of oracle.statements.keys())
        if (between > before && between < place) throw new Error(`A feed left out ${between}.`)
    }
  }

  /** When nothing is under way: does the client know what is recorded, and nothing else? */
  checkAll(oracle: Oracle): void {
    const expected = [...oracle.statements.values()].filter(({ place }) => place > this.#after)
    for (const { place } of expected)
      if (!this.known.has(place))
        throw new Error(`A feed of ${this.process.name} at ${this.place} did not give ${place}.`)
    const places = new Set(expected.map(({ place }) => place))
    for (const place of this.known.keys())
      if (!places.has(place)) throw new Error(`A feed did not say that ${place} was erased.`)
  }

  async #round(graphId: GraphId, following: Following, erased: () => ReadonlySet<MemoryId>): Promise<void> {
    const gone = erased()
    for await (const events of this.process.store.statements(graphId, this.place)) {
      for (const { place = 0, memoryId } of events) {
        this.#delivered.push({ place, memoryId, before: this.place, isErased: gone.has(memoryId) })
        this.known.set(place, memoryId)
        this.place = place
      }
      if (following.hasErased || following.isOver) break
    }
    const news = await following.news(NEWS_MS)
    for (const { place } of news.erased) this.known.delete(place)
  }
}
