import { keyReused } from '../../../domain/failure.js'
import type { MemoryId, Receipt } from '../../../domain/model.js'
import { IDEMPOTENCY_HOURS, type Idempotency } from '../../store.js'
import type { KeptAnswer } from '../log/records.js'

const IN_FORCE_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000

interface Kept {
  readonly body: string
  readonly at: string
  readonly receipts: readonly Receipt[]
}

/** The receipts of the appends with an Idempotency-Key, by key, for as long as they are in force. */
export class IdempotencyRecords {
  readonly #now: () => Date
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** The receipts of the same write; undefined when the key is free. Rejects a key that named another write. */
  find({ key, body }: Idempotency): readonly Receipt[] | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined || !this.isInForce(kept)) return undefined
    if (kept.body !== body) throw keyReused()
    return kept.receipts
  }

  keep({ key, body, at }: KeptAnswer, receipts: readonly Receipt[]): void {
    for (const [oldest, kept] of this.#kept) {
      if (this.isInForce(kept)) break
      this.#kept.delete(oldest)
    }
    this.#kept.delete(key)
    this.#kept.set(key, { body, at, receipts })
  }

  /**
   * The record with its receipts, for when they no longer follow from the events beside it; undefined when its time is
   * over. What the events did to erased memories is no longer told.
   */
  withReceipts({ key, body, at }: KeptAnswer, erased: ReadonlySet<MemoryId>): KeptAnswer | undefined {
    const kept = this.#kept.get(key)
    if (kept?.at !== at || !this.isInForce(kept)) return undefined
    const receipts = kept.receipts.map((receipt) => ({
      ...receipt,
      bearsOn: receipt.bearsOn.filter(({ memoryId }) => !erased.has(memoryId)),
    }))
    return { key, body, at, receipts }
  }

  isInForce({ at }: { readonly at: string }): boolean {
    return this.#now().getTime() < Date.parse(at) + IN_FORCE_MS
  }
}
