import type { Draft } from '../../../domain/events/recording.js'
import type { Content } from '../../../domain/events/same-event.js'
import type { Receipt } from '../../../domain/model.js'
import { createYielding, inSlices } from '../disk/yielding.js'
import { type GraphHome, readGraph } from '../graph-files/journal.js'
import { JournalWriter } from '../graph-files/journal-writer.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { decodeLine, type Frame } from '../log/frame.js'
import { type GraphRecord, isEvent, type KeptAnswer } from '../log/records.js'
import { Graph } from '../memory/graph.js'
import { IdempotencyRecords } from './idempotency.js'

/** An open graph: its image in memory and its journal writer. */
export interface OpenGraph {
  readonly home: GraphHome
  readonly graph: Graph
  readonly idempotency: IdempotencyRecords
  readonly writer: JournalWriter
}

/** A graph of which nothing is on disk yet. */
export function openNothing(home: GraphHome, ports: GraphPorts): OpenGraph {
  return { home, ...inMemory(ports), writer: new JournalWriter(home, ports) }
}

/** Reads a graph, in slices, so that other requests are served in between. */
export async function openFrom(home: GraphHome, ports: GraphPorts): Promise<OpenGraph> {
  const { graph, idempotency } = inMemory(ports)
  const yielding = createYielding()
  const scan = await readGraph(home, async (lines) => {
    // The checksum says that we wrote it.
    for (const { bytes } of lines) await applyFrame(decodeLine(bytes) as Frame<GraphRecord>)
  })
  await inSlices(graph.catchUp())
  return { home, graph, idempotency, writer: new JournalWriter(home, ports, { scan }) }

  async function applyFrame({ records, once }: Frame<GraphRecord>): Promise<void> {
    const kept = once !== undefined && idempotency.isInForce(once) ? once : undefined
    const receipts: Receipt[] = []
    for (const record of records) {
      graph.apply(record)
      if (kept !== undefined && isEvent(record)) receipts.push(graph.receipt(record))
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    if (kept !== undefined) idempotency.keep(kept, kept.receipts ?? receipts)
  }
}

/** Applies the records of one append, which are on disk, and gives its receipts. */
export function applyDrafts(
  { graph, idempotency }: OpenGraph,
  drafts: readonly Draft<Content>[],
  once: KeptAnswer | undefined,
): Receipt[] {
  const receipts = drafts.map(({ record, content }) => {
    graph.apply(record, content)
    return graph.receipt(record)
  })
  if (once !== undefined) idempotency.keep(once, receipts)
  return receipts
}

export function inMemory({
  clockAndRandom,
  texts,
}: Pick<GraphPorts, 'clockAndRandom' | 'texts'>): Pick<OpenGraph, 'graph' | 'idempotency'> {
  const seed = Buffer.from(clockAndRandom.randomBytes(4)).readInt32LE()
  return { graph: new Graph(seed, texts), idempotency: new IdempotencyRecords(clockAndRandom.now) }
}
