/** The thread that reads: texts come in one by one, vectors go out in the same order. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadEncoder } from './load-encoder.js'
import type { Answer, WorkerInput } from './messages.js'

if (parentPort === null) throw new Error('worker.ts runs as a worker thread only.')
const port = parentPort
// The only one to start this thread is meaning-reader.ts, which states what it hands over.
const { folder, sha256, identity } = workerData as WorkerInput

try {
  const encoder = await loadEncoder({ folder: new URL(folder), sha256, identity })
  port.on('message', (text: string) => {
    const vector = encoder.encode(text)
    port.postMessage({ vector } satisfies Answer, [vector.buffer as ArrayBuffer])
  })
  port.postMessage({ ready: true } satisfies Answer)
} catch (error) {
  port.postMessage({ failed: error instanceof Error ? error.message : String(error) } satisfies Answer)
}
