import { listOf } from '../../domain/groups.js'
import type { Result, Task } from './thread.js'

/** A task, with the callbacks for its result. */
export interface Job {
  readonly task: Task
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

interface BackgroundJob extends Job {
  /** Whether a question waits for it. */
  readonly isAwaited: () => boolean
}

/**
 * Waiting tasks by priority: texts that requests wait for, which are short; pairs of questions, the keys
 * taking turns; background texts. These alternate with the pairs while a question waits for them.
 */
export class TaskQueue {
  readonly #urgent: Job[] = []
  readonly #background: BackgroundJob[] = []
  /** By key, its waiting questions, each as a list of pairs. */
  readonly #questions = new Map<string, (readonly Job[])[]>()
  /** The remaining pairs of the question that is being read. */
  readonly #current: Job[] = []
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

  /** Adds the pairs of a question, which are read without other questions in between. */
  addQuestion(pairs: readonly Job[], by: string): void {
    listOf(this.#questions, by).push(pairs)
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
    if (this.#current.length === 0) this.#current.push(...this.#nextQuestion())
    const pair = this.#current.shift()
    if (pair !== undefined) this.#pairs -= 1
    return pair
  }

  #nextQuestion(): readonly Job[] {
    for (const [by, questions] of this.#questions) {
      const pairs = questions.shift()
      // Moves the key behind the others.
      this.#questions.delete(by)
      if (questions.length > 0) this.#questions.set(by, questions)
      return pairs ?? []
    }
    return []
  }
}
