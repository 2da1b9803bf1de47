import { Worker } from 'node:worker_threads'
import type { Model } from './model-files.js'

/** The folder is a string, since a `URL` cannot be sent to a thread. */
export interface WorkerInput extends Omit<Model, 'folder'> {
  readonly folder: string
}

/** A text to embed, or with `question` a text to rate as its answer. */
export interface Task {
  readonly text: string
  readonly question?: string
}

export type Result = { readonly vector: Float32Array } | { readonly logit: number }

export type Answer =
  | { readonly ready: true }
  /** The models could not be loaded. The error is permanent. */
  | { readonly failed: string }
  | Result

export interface Thread {
  /** Runs a task. Call it again only after its result. The process stays alive until then. */
  run(task: Task): void
  /** To be called when there is no task: lets the process exit. */
  rest(): void
  stop(): Promise<void>
}

interface ThreadEvents {
  onResult(result: Result): void
  /** The thread cannot start, or the models cannot be loaded. The error is permanent. */
  onFailure(message: string): void
  /** The thread has ended unexpectedly. */
  onEnd(cause: unknown): void
}

/** The heap holds the vocabulary and one text. The weights are outside of it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

export function startThread(model: Model, events: ThreadEvents): Thread {
  const workerData: WorkerInput = { ...model, folder: model.folder.href }
  const worker = newWorker({ workerData, resourceLimits: RESOURCE_LIMITS, execArgv: [] })
  let ready = false
  let stopped = false
  let cause: unknown
  worker.on('message', (answer: Answer) => {
    if ('ready' in answer) ready = true
    else if ('failed' in answer) events.onFailure(answer.failed)
    else events.onResult(answer)
  })
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => {
    if (stopped) return
    // A thread that ended before it was ready would do so at each restart.
    if (ready) events.onEnd(cause)
    else events.onFailure(`The thread of the models cannot start: ${cause}`)
  })
  return {
    run(task) {
      worker.ref()
      worker.postMessage(task)
    },
    rest: () => worker.unref(),
    async stop() {
      stopped = true
      await worker.terminate()
    },
  }
}

/** Starts worker.js, or in development worker.ts, which needs the TypeScript loader in the thread. */
function newWorker(options: WorkerOptions): Worker {
  const compiled = !import.meta.url.endsWith('.ts')
  if (compiled) return new Worker(new URL('./worker.js', import.meta.url), options)
  const loader = import.meta.resolve('tsx/esm/api')
  const source = new URL('./worker.ts', import.meta.url).href
  const start = `import('${loader}').then(({ register }) => { register(); return import('${source}') })`
  return new Worker(start, { ...options, eval: true })
}

type WorkerOptions = ConstructorParameters<typeof Worker>[1] & object
