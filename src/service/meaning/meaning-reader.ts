import type { Model } from './model-files.js'
import { ModelError } from './model-files.js'
import { type Job, TextQueue } from './text-queue.js'
import { startThread, type Thread } from './thread.js'

/** More texts than these do not wait: a request for more is refused. */
export const MOST_WAITING = 4096

/** Too many texts wait already; later there will be room. */
export class ReaderBusyError extends Error {
  override readonly name = 'ReaderBusyError'
}

export interface ReadOptions {
  /** A caller waits for it: read before what is read in the background. */
  readonly urgent?: boolean
}

/**
 * Reads texts in a thread of its own, one at a time. The thread starts with the first text, and starts anew with the
 * next text if it ends; weights that cannot be loaded are reported to every caller and not tried again.
 *
 *   const reader = new MeaningReader(await checkModel())
 *   const [vector] = await reader.encode(['Which test runner do we use?'], { urgent: true })
 */
export class MeaningReader {
  readonly #model: Model
  readonly #queue = new TextQueue()
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

  /** How many texts have not been read yet. */
  get waiting(): number {
    return this.#queue.size + (this.#current === undefined ? 0 : 1)
  }

  /** Unit vectors, in the order of the texts. Rejects when one cannot be read, when too many wait, and when closed. */
  async encode(texts: readonly string[], { urgent = false }: ReadOptions = {}): Promise<Float32Array[]> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.waiting + texts.length > MOST_WAITING)
      throw new ReaderBusyError(`${this.waiting} texts wait to be read; ${texts.length} more are too many.`)
    const vectors = texts.map(
      (text) =>
        new Promise<Float32Array>((resolve, reject) => {
          this.#queue.add({ text, resolve, reject }, urgent)
        }),
    )
    this.#proceed()
    return Promise.all(vectors)
  }

  /** Texts that wait are rejected. */
  async close(): Promise<void> {
    this.#fail(new Error('The reader is closed.'))
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
      onVector: (vector) => this.#settle((job) => job.resolve(vector)),
      onFailure: (message) => this.#fail(new ModelError(message)),
      onEnd: (cause) => {
        this.#thread = undefined
        this.#settle((job) => job.reject(new Error('The thread that reads has ended.', { cause })))
      },
    })
    this.#thread.read(this.#current.text)
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
