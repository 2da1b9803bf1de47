import { type Model, ModelError } from './model-files.js'
import { type Job, TaskQueue } from './task-queue.js'
import { type Result, startThread, type Task, type Thread } from './thread.js'

/** Maximum number of waiting tasks; `encode` rejects above it. */
export const MAX_WAITING_TASKS = 4096

/** Too many tasks wait. The caller may try again later. */
export class RunnerBusyError extends Error {
  override readonly name = 'RunnerBusyError'
}

interface EncodeOptions {
  /** Set when a request waits for the texts: they are encoded before all others. */
  readonly urgent?: boolean
  /** Whether a question waits for the texts, called when their turn may come. */
  readonly isAwaited?: () => boolean
}

/**
 * Runs the encoder and the reader in a worker thread, one task at a time. The thread starts with the first
 * task, and restarts with the next task if it ends. If the weights cannot be loaded, all calls reject from
 * then on.
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

  /** Only vectors of the same identity may be compared. */
  get identity(): string {
    return this.#model.identity
  }

  /** Number of tasks that are not finished. */
  get waiting(): number {
    return this.#queue.size + (this.#current === undefined ? 0 : 1)
  }

  /** Unit vectors, in order of the texts. Rejects if a text fails, if too many wait, or after `close`. */
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

  /** The logits of the texts, in their order. The keys in `by` take turns. */
  read(question: string, texts: readonly string[], by: string): Promise<number>[] {
    const failure = this.#failure
    if (failure !== undefined) return texts.map(() => Promise.reject(failure))
    const pairs: Job[] = []
    const logits = texts.map((text) => resultOf({ question, text }, (job) => pairs.push(job)).then(toLogit))
    this.#queue.addQuestion(pairs, by)
    this.#proceed()
    return logits
  }

  /** Rejects all waiting tasks. */
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
