import type { Result, Task } from './messages.js'
import { type Model, ModelError } from './model-files.js'
import { type Job, TaskQueue } from './task-queue.js'
import { startThread, type Thread } from './thread.js'

/** More tasks than these do not wait: a request to encode more is refused. */
export const MAX_WAITING_TASKS = 4096

/** Too many texts wait already; later there will be room. */
export class RunnerBusyError extends Error {
  override readonly name = 'RunnerBusyError'
}

export interface EncodeOptions {
  /** A request waits for it: encoded before everything else. */
  readonly urgent?: boolean
  /** Whether a question waits for it by now, asked when it could be its turn. */
  readonly isAwaited?: () => boolean
}

/**
 * Runs the encoder and the reader in a thread of their own, one task at a time. The thread starts with the first task,
 * and starts anew with the next one if it ends; weights that cannot be loaded are reported to every caller and not tried
 * again.
 *
 *   const runner = new ModelRunner(await checkModel())
 *   const [vector] = await runner.encode(['Which test runner do we use?'], { urgent: true })
 *   const [logit] = await Promise.all(runner.read('Which test runner do we use?', ['We use vitest'], 'key_1'))
 */
export class ModelRunner {
  readonly #model: Model
  readonly #queue = new TaskQueue()
  #thread: Thread | undefined
  #current: Job | undefined
  #failure: Error | undefined

  constructor(model: Model) {
    this.#model = model
  }

  /** Vectors are comparable with those of the same identity only. */
  get identity(): string {
    return this.#model.identity
  }

  /** How many tasks have not been done yet. */
  get waiting(): number {
    return this.#queue.size + (this.#current === undefined ? 0 : 1)
  }

  /** Unit vectors, in the order of the texts. Rejects when one cannot be read, when too many wait, and when closed. */
  async encode(
    texts: readonly string[],
    { urgent = false, isAwaited = () => false }: EncodeOptions = {},
  ): Promise<Float32Array[]> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.waiting + texts.length > MAX_WAITING_TASKS)
      throw new RunnerBusyError(`${this.waiting} tasks wait; ${texts.length} more are too many.`)
    const vectors = texts.map((text) =>
      resultOf({ text }, (job) => {
        if (urgent) this.#queue.addUrgent(job)
        else this.#queue.addBackground(job, isAwaited)
      }).then(toVector),
    )
    this.#proceed()
    return Promise.all(vectors)
  }

  /** The logits of the texts, in their order, each a promise of its own. `by` is whose turn it takes. */
  read(question: string, texts: readonly string[], by: string): Promise<number>[] {
    const failure = this.#failure
    if (failure !== undefined) return texts.map(() => Promise.reject(failure))
    const pairs: Job[] = []
    const logits = texts.map((text) => resultOf({ question, text }, (job) => pairs.push(job)).then(toLogit))
    this.#queue.addQuestion(pairs, by)
    this.#proceed()
    return logits
  }

  /** Tasks that wait are rejected. */
  async close(): Promise<void> {
    this.#fail(new Error('The models are closed.'))
    await this.#thread?.stop()
  }

  #proceed(): void {
    if (this.#current !== undefined) return
    this.#current = this.#queue.next()
    if (this.#current === undefined) {
      this.#thread?.rest()
      return
    }
    this.#thread ??= startThread(this.#model, {
      onResult: (result) => this.#settle((job) => job.resolve(result)),
      onFailure: (message) => this.#fail(new ModelError(message)),
      onEnd: (cause) => {
        this.#thread = undefined
        this.#settle((job) => job.reject(new Error('The thread of the models has ended.', { cause })))
      },
    })
    this.#thread.run(this.#current.task)
  }

  #settle(answer: (job: Job) => void): void {
    const job = this.#current
    this.#current = undefined
    if (job !== undefined) answer(job)
    this.#proceed()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#current?.reject(this.#failure)
    this.#current = undefined
    this.#queue.rejectAll(this.#failure)
    this.#thread?.rest()
  }
}

function resultOf(task: Task, add: (job: Job) => void): Promise<Result> {
  return new Promise((resolve, reject) => add({ task, resolve, reject }))
}

function toVector(result: Result): Float32Array {
  if ('vector' in result) return result.vector
  throw new Error('The thread read a question instead of a text.')
}

function toLogit(result: Result): number {
  if ('logit' in result) return result.logit
  throw new Error('The thread encoded a text instead of reading a question.')
}
