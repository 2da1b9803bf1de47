import type { Result, Task } from './messages.js'

/** A task that waits for the thread. */
export interface Job {
  readonly task: Task
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

interface BackgroundJob extends Job {
  /** Whether somebody waits for it by now. */
  readonly isAwaited: () => boolean
}

/**
 * Tasks that wait, in this order: texts that a request waits for, which are short and come before all else that is done
 * for it; questions that are read, each key in turn; texts of the background. While a question waits for those of the
 * background, they take turns with what is read.
 */
export class TaskQueue {
  readonly #urgent: Job[] = []
  readonly #background: BackgroundJob[] = []
  /** By key, the questions of it that wait, each with its pairs. */
  readonly #questions = new Map<string, (readonly Job[])[]>()
  /** What is left of the question that is being read. */
  readonly #begun: Job[] = []
  #pairs = 0
  #hasJustRead = false

  get size(): number {
    return this.#urgent.length + this.#background.length + this.#pairs
  }

  addUrgent(job: Job): void {
    this.#urgent.push(job)
  }

  addBackground(job: Job, isAwaited: () => boolean): void {
    this.#background.push({ ...job, isAwaited })
  }

  /** The pairs of one question, which are read one after the other. */
  addQuestion(pairs: readonly Job[], by: string): void {
    const own = this.#questions.get(by)
    if (own === undefined) this.#questions.set(by, [pairs])
    else own.push(pairs)
    this.#pairs += pairs.length
  }

  next(): Job | undefined {
    const urgent = this.#urgent.shift()
    if (urgent !== undefined) return urgent
    const isBackgroundsTurn = this.#hasJustRead && this.#background[0]?.isAwaited() === true
    const pair = isBackgroundsTurn ? undefined : this.#nextPair()
    this.#hasJustRead = pair !== undefined
    return pair ?? this.#background.shift()
  }

  rejectAll(error: Error): void {
    for (let job = this.next(); job !== undefined; job = this.next()) job.reject(error)
  }

  #nextPair(): Job | undefined {
    if (this.#begun.length === 0) this.#begun.push(...this.#nextQuestion())
    const pair = this.#begun.shift()
    if (pair !== undefined) this.#pairs -= 1
    return pair
  }

  #nextQuestion(): readonly Job[] {
    for (const [by, own] of this.#questions) {
      const pairs = own.shift()
      // The key goes behind the others.
      this.#questions.delete(by)
      if (own.length > 0) this.#questions.set(by, own)
      return pairs ?? []
    }
    return []
  }
}
