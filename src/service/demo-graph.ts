import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { PastEvent } from '../domain/events/recording.js'
import { Failure } from '../domain/failure.js'
import type { Json } from '../domain/model.js'
import { decodeExport, type WireEvent } from '../domain/transfer/decode.js'
import { linesOf } from '../domain/transfer/lines.js'
import type { Store } from '../store/store.js'

export const DEMO_GRAPH = 'demo'

/** An export of a year of a small web shop, with every kind of event, source, link and trust. */
export const DEMO_FILE = new URL('../../examples/demo.ndjson', import.meta.url)

/** The file ends with its hash, and a test holds it against the contract, which takes a while to load. */
const TRUSTED = {
  fits: (_line: Json): _line is Json & WireEvent => true,
  mistakes: () => [],
}

/** Later than every day in the file, so that a service whose clock is behind loads it as well. */
const ANY_DAY = new Date('9999-12-31')

export function demoEvents(): AsyncGenerator<readonly PastEvent[]> {
  return decodeExport(linesOf(createReadStream(DEMO_FILE)), TRUSTED, createHash('sha256'), ANY_DAY)
}

/** Imports the demo graph. Resolves to false if a graph with its id exists already. */
export async function loadDemo(store: Store): Promise<boolean> {
  try {
    await store.importGraph(DEMO_GRAPH, demoEvents(), (index) => `/events/${index}`)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'graph_exists') return false
    throw error
  }
}
