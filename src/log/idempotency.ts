import { keyReused, keySpent } from '../domain/failure.js'
import { memoryField } from '../domain/links.js'
import type { MemoryId, Receipt } from '../domain/model.js'
import { IDEMPOTENCY_HOURS, type Idempotency, type KeptAnswer, type SpentKey } from '../graph/records.js'

const IN_FORCE_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000

interface KeyRecord {
  readonly at: string
  /** Undefined if something of the write was erased. */
  readonly answer?: Answer
}

interface Answer {
  readonly body: string
  readonly receipts: readonly Receipt[]
  /** The position of the entry that stores the answer. */
  readonly position: number
  /** Are the receipts stored in the entry? Loregraph 0.2 omitted those that follow from the records. */
  readonly isStored: boolean
}

/** An answer that an erasure changes; without `once`, it is removed. */
export interface ChangedAnswer {
  readonly position: number
  readonly once: KeptAnswer | undefined
}

/** The receipts of writes with an Idempotency-Key, by key, until they expire. */
export class IdempotencyRecords {
  readonly #now: () => Date
  /** The oldest first. */
  readonly #records = new Map<string, KeyRecord>()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** The receipts of the same write; undefined if the key is free. Throws if the key is spent or was used for another write. */
  find({ key, body }: Idempotency): readonly Receipt[] | undefined {
    const record = this.#records.get(key)
    if (record === undefined || !this.isInForce(record)) return undefined
    if (record.answer === undefined) throw keySpent()
    if (record.answer.body !== body) throw keyReused()
    return record.answer.receipts
  }

  /** Adds an answer. `receipts` are computed from the records of its entry, for an answer that was stored without receipts. */
  keep({ key, body, at, ...once }: KeptAnswer, position: number, receipts: readonly Receipt[]): void {
    const isStored = once.receipts !== undefined
    this.#put(key, { at, answer: { body, receipts: once.receipts ?? receipts, position, isStored } })
  }

  /** From now on, writes with this key are refused. */
  spend({ key, at }: SpentKey): void {
    this.#put(key, { at })
  }

  isInForce({ at }: { readonly at: string }): boolean {
    return this.#now().getTime() < Date.parse(at) + IN_FORCE_MS
  }

  /**
   * The changes by an erasure. If something of a write is erased, its answer is removed and its key is spent. Other answers lose
   * their effects on erased memories. Receipts that were not stored are added, since the changed records may not yield them.
   */
  without(erased: ReadonlySet<MemoryId>): {
    readonly changed: readonly ChangedAnswer[]
    readonly spent: readonly SpentKey[]
  } {
    const changed: ChangedAnswer[] = []
    const spent: SpentKey[] = []
    for (const [key, { at, answer }] of this.#records) {
      if (!this.isInForce({ at })) continue
      if (answer === undefined) {
        spent.push({ key, at })
        continue
      }
      const { body, receipts, position, isStored } = answer
      if (receipts.some(({ memoryId }) => erased.has(memoryId))) {
        spent.push({ key, at })
        changed.push({ position, once: undefined })
      } else if (!isStored || receipts.some((receipt) => mentions(receipt, erased)))
        changed.push({ position, once: { key, body, at, receipts: receipts.map(withoutErased) } })
    }
    return { changed, spent }

    function withoutErased(receipt: Receipt): Receipt {
      const isLeft = ({ memoryId }: { readonly memoryId: MemoryId }) => !erased.has(memoryId)
      const { bearsOn, unresolved, ...rest } = receipt
      const links = unresolved?.map((one) => ({ ...one, candidates: one.candidates.filter(isLeft) }))
      // The target of a link may be erased, too.
      const left = links?.filter(({ target }) => !erased.has(memoryField(target)?.target ?? target))
      return { ...rest, bearsOn: bearsOn.filter(isLeft), ...(left !== undefined && { unresolved: left }) }
    }
  }

  /** Drops expired records, oldest first. Skips a few live ones, which a wrong clock may have dated in the future. */
  #put(key: string, record: KeyRecord): void {
    let skipped = 0
    for (const [oldest, record] of this.#records) {
      if (!this.isInForce(record)) this.#records.delete(oldest)
      else if (++skipped >= MAX_SKIPPED) break
    }
    this.#records.delete(key)
    this.#records.set(key, record)
  }
}

/** How many live records a write skips while it looks for expired ones. */
const MAX_SKIPPED = 2

function mentions({ bearsOn, unresolved = [] }: Receipt, erased: ReadonlySet<MemoryId>): boolean {
  return [...bearsOn, ...unresolved.flatMap(({ candidates }) => candidates)].some(({ memoryId }) =>
    erased.has(memoryId),
  )
}
