import type { MemoryId } from '../domain/model.js'
import type { Judgement } from '../domain/trust/claims/claims.js'
import { nextTurn } from '../loop/next-turn.js'

const SLICE_MS = 10

/** Thrown when a slice is over: the verdicts so far are remembered, and the rules are asked again. */
class Paused extends Error {}

type Verdicts = Map<MemoryId, Map<MemoryId, boolean>>

/**
 * A judgement that lets others have their turn: an event may be held against a hundred thousand memories, and the rules,
 * which are pure, ask for all verdicts on it in one go.
 */
export class PausedJudgement implements Judgement {
  readonly #judgement: Judgement
  readonly #same: Verdicts = new Map()
  readonly #agreeing: Verdicts = new Map()
  #isPausing = false
  /** When the slice is over, from its first new verdict on. */
  #until: number | undefined

  constructor(judgement: Judgement) {
    this.#judgement = judgement
  }

  /** What the rules say by this judgement; `ask` must change nothing before it has all verdicts. */
  async inSlices<T>(ask: () => T): Promise<T> {
    for (;;) {
      this.#isPausing = true
      this.#until = undefined
      try {
        return ask()
      } catch (error) {
        if (!(error instanceof Paused)) throw error
      } finally {
        this.#isPausing = false
      }
      await nextTurn()
    }
  }

  /** Forgets all verdicts: those on one event are seldom of use for the next. */
  forget(): void {
    this.#same.clear()
    this.#agreeing.clear()
  }

  sameThing(a: MemoryId, b: MemoryId): boolean {
    return this.#verdict(this.#same, 'sameThing', a, b)
  }

  saysTheSame(a: MemoryId, b: MemoryId): boolean {
    return this.#verdict(this.#agreeing, 'saysTheSame', a, b)
  }

  #verdict(verdicts: Verdicts, question: keyof Judgement, a: MemoryId, b: MemoryId): boolean {
    const ofA = verdicts.get(a) ?? new Map<MemoryId, boolean>()
    verdicts.set(a, ofA)
    const known = ofA.get(b)
    if (known !== undefined) return known
    this.#pauseIfDue()
    const verdict = this.#judgement[question](a, b)
    ofA.set(b, verdict)
    return verdict
  }

  #pauseIfDue(): void {
    if (!this.#isPausing) return
    const now = performance.now()
    this.#until ??= now + SLICE_MS
    if (now > this.#until) throw new Paused()
  }
}
