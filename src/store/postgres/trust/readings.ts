import { type Reading, readPayload } from '../../../domain/judgement/judgement.js'
import { Memo } from '../../../domain/memo.js'
import type { GraphId, JsonObject, MemoryId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'
import { payloadOf } from '../schema/rows.js'

/** So many texts are loaded at once, or as many as have about so many letters. */
const AT_ONCE = 2_000
const LETTERS = 1_000_000
/** The readings of about so many letters are kept; they take some twenty times as much memory as these. */
const KEPT = 4_000_000

const PAYLOADS = {
  name: 'load-payloads',
  text: `SELECT m.memory_id, m.payload FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id, payload FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m`,
}

/** Thrown when a memory is to be read whose text is not here: once it is loaded, the rules are asked again. */
class Unread extends Error {
  readonly id: MemoryId

  constructor(id: MemoryId) {
    super()
    this.id = id
  }
}

/** The readings of memories: those of the database are loaded as they are asked for, some texts at a time. */
export class Readings {
  readonly #session: Session
  readonly #graphId: GraphId
  /** Of the database, in the order in which they will be asked for. */
  readonly #lengths: { readonly id: MemoryId; readonly letters: number }[] = []
  readonly #numbers = new Map<MemoryId, number>()
  readonly #fresh = new Map<MemoryId, JsonObject>()
  readonly #readings = new Memo<MemoryId, Reading>(KEPT, ({ text }) => 1 + text.length)
  /** The texts that were loaded last. */
  #loaded = new Map<MemoryId, string>()

  constructor(session: Session, graphId: GraphId) {
    this.#session = session
    this.#graphId = graphId
  }

  /** A memory that is not in the database yet. */
  add(id: MemoryId, payload: JsonObject): void {
    this.#fresh.set(id, payload)
  }

  /** A memory of the database, and how long it is. */
  expect(id: MemoryId, letters: number): void {
    if (this.#numbers.has(id)) return
    this.#numbers.set(id, this.#lengths.push({ id, letters }) - 1)
  }

  /** For work that is done by `loading` only. */
  of(id: MemoryId): Reading | undefined {
    const known = this.#readings.get(id)
    if (known !== undefined) return known
    const text = this.#loaded.get(id)
    const payload = text === undefined ? this.#fresh.get(id) : payloadOf(text)
    if (payload === undefined && this.#numbers.has(id)) throw new Unread(id)
    const reading = payload && readPayload(payload)
    if (reading !== undefined) this.#readings.set(id, reading)
    return reading
  }

  /** Does some work again until all that it reads is here. */
  async loading<T>(work: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Unread)) throw error
        await this.#loadFrom(error.id)
      }
  }

  async #loadFrom(first: MemoryId): Promise<void> {
    const ids: MemoryId[] = []
    let letters = 0
    for (let i = this.#numbers.get(first) ?? 0; ids.length < AT_ONCE && letters < LETTERS; i++) {
      const next = this.#lengths[i]
      if (next === undefined) break
      ids.push(next.id)
      letters += next.letters
    }
    const rows = await this.#session.rows<{ memory_id: MemoryId; payload: string }>(PAYLOADS, [
      this.#graphId,
      ids,
    ])
    this.#loaded = new Map(rows.map(({ memory_id, payload }) => [memory_id, payload]))
    // One that the database does not hold speaks of nothing.
    if (!this.#loaded.has(first)) this.#numbers.delete(first)
  }
}
