import { Worker } from 'node:worker_threads'
import type { Answer, Result, Task, WorkerInput } from './messages.js'
import type { Model } from './model-files.js'

export interface Thread {
  /** One task; the next may be given when its result is there. The process stays alive until then. */
  run(task: Task): void
  /** Nothing is under way: the process may end. */
  rest(): void
  stop(): Promise<void>
}

export interface ThreadEvents {
  onResult(result: Result): void
  /** The thread cannot start, or the models cannot be loaded. */
  onFailure(message: string): void
  /** The thread has ended without being asked to. */
  onEnd(cause: unknown): void
}

/** A heap for the vocabulary and one text; the weights lie outside of it. */
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
    // A thread that could not even start would end again and again.
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

/** Beside this file, compiled or as TypeScript, which needs its loader in the thread as well. */
function newWorker(options: WorkerOptions): Worker {
  const compiled = !import.meta.url.endsWith('.ts')
  if (compiled) return new Worker(new URL('./worker.js', import.meta.url), options)
  const loader = import.meta.resolve('tsx/esm/api')
  const source = new URL('./worker.ts', import.meta.url).href
  const start = `import('${loader}').then(({ register }) => { register(); return import('${source}') })`
  return new Worker(start, { ...options, eval: true })
}

type WorkerOptions = ConstructorParameters<typeof Worker>[1] & object
