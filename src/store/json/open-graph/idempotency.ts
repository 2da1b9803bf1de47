import { keyReused } from '../../../domain/failure.js'
import type { Receipt } from '../../../domain/model.js'
import { IDEMPOTENCY_HOURS, type Idempotency } from '../../store.js'
import type { KeptAnswer } from '../log/records.js'

const IN_FORCE_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000

interface Answer {
  readonly body: string
  readonly at: string
  readonly receipts: readonly Receipt[]
}

/** The answers to the writes of a graph that are done once, by key, for as long as they are in force. */
export class IdempotencyRecords {
  readonly #now: () => Date
  /** The oldest first. */
  readonly #kept = new Map<string, Answer>()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** The receipts of the same write; undefined when the key is free. Rejects a key that named another write. */
  find({ key, body }: Idempotency): readonly Receipt[] | undefined {
    const answer = this.#kept.get(key)
    if (answer === undefined || !this.isInForce(answer)) return undefined
    if (answer.body !== body) throw keyReused()
    return answer.receipts
  }

  keep({ key, body, at }: KeptAnswer, receipts: readonly Receipt[]): void {
    for (const [oldest, answer] of this.#kept) {
      if (this.isInForce(answer)) break
      this.#kept.delete(oldest)
    }
    this.#kept.delete(key)
    this.#kept.set(key, { body, at, receipts })
  }

  /** The answer as it is written when it can no longer be worked out; undefined when its time is over. */
  inWords({ key, body, at }: KeptAnswer): KeptAnswer | undefined {
    const answer = this.#kept.get(key)
    if (answer?.at !== at || !this.isInForce(answer)) return undefined
    return { key, body, at, receipts: answer.receipts }
  }

  isInForce({ at }: { readonly at: string }): boolean {
    return this.#now().getTime() < Date.parse(at) + IN_FORCE_MS
  }
}
