import { keyReused, keySpent } from '../domain/failure.js'
import type { MemoryId, Receipt } from '../domain/model.js'
import type { KeptAnswer, SpentKey } from '../graph/records.js'
import { IDEMPOTENCY_HOURS, type Idempotency } from '../store/store.js'

const IN_FORCE_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000

interface Kept {
  readonly at: string
  /** Undefined when something that was written has been erased. */
  readonly answer?: { readonly body: string; readonly receipts: readonly Receipt[] }
}

/** The receipts of the appends with an Idempotency-Key, by key, for as long as they are in force. */
export class IdempotencyRecords {
  readonly #now: () => Date
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** The receipts of the same write; undefined when the key is free. Rejects one that is spent or named another write. */
  find({ key, body }: Idempotency): readonly Receipt[] | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined || !this.isInForce(kept)) return undefined
    if (kept.answer === undefined) throw keySpent()
    if (kept.answer.body !== body) throw keyReused()
    return kept.answer.receipts
  }

  keep({ key, body, at }: KeptAnswer, receipts: readonly Receipt[]): void {
    this.#put(key, { at, answer: { body, receipts } })
  }

  /** From now on the key gets no answer, and records nothing. */
  spend({ key, at }: SpentKey): void {
    this.#put(key, { at })
  }

  get spent(): readonly SpentKey[] {
    return Array.from(this.#kept, ([key, { at, answer }]) => ({ key, at, isSpent: answer === undefined }))
      .filter(({ at, isSpent }) => isSpent && this.isInForce({ at }))
      .map(({ key, at }) => ({ key, at }))
  }

  #put(key: string, one: Kept): void {
    for (const [oldest, kept] of this.#kept) {
      if (this.isInForce(kept)) break
      this.#kept.delete(oldest)
    }
    this.#kept.delete(key)
    this.#kept.set(key, one)
  }

  /**
   * The record with its receipts, for when they no longer follow from the events beside it; undefined when its time is
   * over. What the events did to erased memories is no longer told.
   */
  withReceipts({ key, body, at }: KeptAnswer, erased: ReadonlySet<MemoryId>): KeptAnswer | undefined {
    const kept = this.#kept.get(key)
    if (kept?.at !== at || kept.answer === undefined || !this.isInForce(kept)) return undefined
    const receipts = kept.answer.receipts.map((receipt) => ({
      ...receipt,
      bearsOn: receipt.bearsOn.filter(({ memoryId }) => !erased.has(memoryId)),
    }))
    return { key, body, at, receipts }
  }

  isInForce({ at }: { readonly at: string }): boolean {
    return this.#now().getTime() < Date.parse(at) + IN_FORCE_MS
  }
}
