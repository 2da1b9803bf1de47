import { Worker } from 'node:worker_threads'
import type { Answer, WorkerInput } from './messages.js'
import type { Model } from './model-files.js'

export interface Thread {
  /** One text; the next may be given when its vector is there. The process stays alive until then. */
  read(text: string): void
  /** Nothing is under way: the process may end. */
  rest(): void
  stop(): Promise<void>
}

export interface ThreadEvents {
  onVector(vector: Float32Array): void
  /** The thread cannot start, or the encoder cannot be loaded. */
  onFailure(message: string): void
  /** The thread has ended without being asked to. */
  onEnd(cause: unknown): void
}

/** A heap for the vocabulary and one text; the weights lie outside of it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

export function startThread(model: Model, events: ThreadEvents): Thread {
  const { folder, sha256, identity } = model
  const workerData: WorkerInput = { folder: folder.href, sha256, identity }
  const worker = newWorker({ workerData, resourceLimits: RESOURCE_LIMITS, execArgv: [] })
  let ready = false
  let stopped = false
  let cause: unknown
  worker.on('message', (answer: Answer) => {
    if ('ready' in answer) ready = true
    if ('vector' in answer) events.onVector(answer.vector)
    if ('failed' in answer) events.onFailure(answer.failed)
  })
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => {
    if (stopped) return
    // A thread that could not even start would end again and again.
    if (ready) events.onEnd(cause)
    else events.onFailure(`The thread that reads cannot start: ${cause}`)
  })
  return {
    read(text) {
      worker.ref()
      worker.postMessage(text)
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
