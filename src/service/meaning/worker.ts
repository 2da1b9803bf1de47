/** The worker thread of the models: receives tasks one by one, and sends their results in the same order. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadModels } from './load-models.js'
import type { Answer, Task, WorkerInput } from './thread.js'

if (parentPort === null) throw new Error('worker.ts runs as a worker thread only.')
const port = parentPort
// A boundary: thread.ts starts this worker with a `WorkerInput`.
const { folder, ...model } = workerData as WorkerInput

try {
  const { encoder, reader } = await loadModels({ ...model, folder: new URL(folder) })
  port.on('message', ({ question, text }: Task) => {
    if (question !== undefined)
      return port.postMessage({ logit: reader.logitOf(question, text) } satisfies Answer)
    const vector = encoder.encode(text)
    port.postMessage({ vector } satisfies Answer, [vector.buffer as ArrayBuffer])
  })
  port.postMessage({ ready: true } satisfies Answer)
} catch (error) {
  port.postMessage({ failed: error instanceof Error ? error.message : String(error) } satisfies Answer)
}
