import type { GraphId, MemoryId } from '../../../src/domain/model.js'
import type { VectorRecord, VectorStore } from '../../../src/graph/embeddings.js'
import type { MemoryStorage, StoredVectors } from './memory-storage.js'

/** The vectors of one graph, as one process uses them. */
export class MemoryVectors implements VectorStore {
  readonly #storage: MemoryStorage
  readonly #graphId: GraphId
  readonly #identity: string
  readonly #enter: () => Promise<void>
  #isOpen = false

  /** `enter` rejects when the log is closed or the connection is cut. */
  constructor(storage: MemoryStorage, graphId: GraphId, identity: string, enter: () => Promise<void>) {
    this.#storage = storage
    this.#graphId = graphId
    this.#identity = identity
    this.#enter = enter
  }

  async open(
    isWanted: (id: MemoryId) => boolean,
    take: (record: VectorRecord, place: number) => void,
  ): Promise<void> {
    await this.#enter()
    this.#isOpen = true
    const { list } = this.#stored()
    for (const [place, kept] of list.entries())
      if (kept !== undefined && isWanted(kept.id)) take({ id: kept.id, vector: kept.bytes.slice() }, place)
      else list[place] = undefined
  }

  readNow(place: number, id: MemoryId): Int8Array | undefined {
    const kept = this.#isOpen ? this.#stored().list[place] : undefined
    return kept?.id === id ? kept.bytes.slice() : undefined
  }

  async append(records: readonly VectorRecord[]): Promise<number> {
    await this.#enter()
    const { list } = this.#stored()
    const ids = new Set(records.map(({ id }) => id))
    for (const [place, kept] of list.entries())
      if (kept !== undefined && ids.has(kept.id)) list[place] = undefined
    return list.push(...records.map(({ id, vector }) => ({ id, bytes: vector.slice() }))) - records.length
  }

  async close(): Promise<void> {
    this.#isOpen = false
  }

  /** Vectors of another model are dropped. */
  #stored(): StoredVectors {
    const found = this.#storage.vectors.get(this.#graphId)
    if (found?.identity === this.#identity) return found
    const empty = { identity: this.#identity, list: [] }
    this.#storage.vectors.set(this.#graphId, empty)
    return empty
  }
}
