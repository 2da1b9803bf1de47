import { keyReused, keySpent } from '../domain/failure.js'
import { memoryField } from '../domain/links.js'
import type { MemoryId, Receipt } from '../domain/model.js'
import { IDEMPOTENCY_HOURS, type Idempotency, type KeptAnswer, type SpentKey } from '../graph/records.js'

const IN_FORCE_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000

interface Kept {
  readonly at: string
  /** Undefined when something that was written has been erased. */
  readonly answer?: Answer
}

interface Answer {
  readonly body: string
  readonly receipts: readonly Receipt[]
  /** The entry that it is kept with. */
  readonly position: number
  /** Are the receipts kept with it? 0.2 left them out while they followed from the records. */
  readonly isStored: boolean
}

/** An answer that an erasure changes; without `once`, it goes. */
export interface ChangedAnswer {
  readonly position: number
  readonly once: KeptAnswer | undefined
}

/** The receipts of the writes with an Idempotency-Key, by key, for as long as they are in force. */
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

  /** `receipts` are those of the records beside it, for an answer that was kept without them. */
  keep({ key, body, at, ...once }: KeptAnswer, position: number, receipts: readonly Receipt[]): void {
    const isStored = once.receipts !== undefined
    this.#put(key, { at, answer: { body, receipts: once.receipts ?? receipts, position, isStored } })
  }

  /** From now on the key gets no answer, and records nothing. */
  spend({ key, at }: SpentKey): void {
    this.#put(key, { at })
  }

  isInForce({ at }: { readonly at: string }): boolean {
    return this.#now().getTime() < Date.parse(at) + IN_FORCE_MS
  }

  /**
   * What an erasure changes: an answer goes when something of its write was erased, and its key is spent; what a write did to
   * erased memories is no longer said. Receipts that followed from the records are written out, as they may follow no longer.
   */
  without(erased: ReadonlySet<MemoryId>): {
    readonly changed: readonly ChangedAnswer[]
    readonly spent: readonly SpentKey[]
  } {
    const changed: ChangedAnswer[] = []
    const spent: SpentKey[] = []
    for (const [key, { at, answer }] of this.#kept) {
      if (!this.isInForce({ at })) continue
      if (answer === undefined) {
        spent.push({ key, at })
        continue
      }
      const { body, receipts, position, isStored } = answer
      if (receipts.some(({ memoryId }) => erased.has(memoryId))) {
        spent.push({ key, at })
        changed.push({ position, once: undefined })
      } else if (!isStored || receipts.some((receipt) => namesOne(receipt, erased)))
        changed.push({ position, once: { key, body, at, receipts: receipts.map(withoutErased) } })
    }
    return { changed, spent }

    function withoutErased(receipt: Receipt): Receipt {
      const isLeft = ({ memoryId }: { readonly memoryId: MemoryId }) => !erased.has(memoryId)
      const { bearsOn, unresolved, ...rest } = receipt
      const links = unresolved?.map((one) => ({ ...one, candidates: one.candidates.filter(isLeft) }))
      // What a link named may be erased as well.
      const left = links?.filter(({ target }) => !erased.has(memoryField(target)?.target ?? target))
      return { ...rest, bearsOn: bearsOn.filter(isLeft), ...(left !== undefined && { unresolved: left }) }
    }
  }

  /** Drops expired records, oldest first. One that a wrong clock dated in the future does not stop it. */
  #put(key: string, one: Kept): void {
    let looked = 0
    for (const [oldest, kept] of this.#kept) {
      if (!this.isInForce(kept)) this.#kept.delete(oldest)
      else if (++looked >= MAX_LOOKED_AT) break
    }
    this.#kept.delete(key)
    this.#kept.set(key, one)
  }
}

/** How many live records a write skips while it looks for expired ones. */
const MAX_LOOKED_AT = 2

function namesOne({ bearsOn, unresolved = [] }: Receipt, erased: ReadonlySet<MemoryId>): boolean {
  return [...bearsOn, ...unresolved.flatMap(({ candidates }) => candidates)].some(({ memoryId }) =>
    erased.has(memoryId),
  )
}
