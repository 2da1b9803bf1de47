import type { Receipt } from '../../../domain/model.js'
import { createYielding, inSlices } from '../disk/yielding.js'
import { type GraphHome, readGraph } from '../graph-files/journal.js'
import { JournalWriter } from '../graph-files/journal-writer.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { decodeLine, type Frame, type Group } from '../log/frame.js'
import { type GraphRecord, isEvent } from '../log/records.js'
import { Graph } from '../memory/graph.js'
import { IdempotencyRecords } from './idempotency.js'

/** One graph as it is kept: what it is in memory, and who writes it down. */
export interface OpenGraph {
  readonly home: GraphHome
  readonly graph: Graph
  readonly answers: IdempotencyRecords
  readonly writer: JournalWriter
}

/** A graph of which nothing is on disk yet. */
export function openNothing(home: GraphHome, around: GraphPorts): OpenGraph {
  return { home, ...inMemory(around), writer: new JournalWriter(home, around) }
}

/** Reads a graph, in slices, so that others are served meanwhile. */
export async function openFrom(home: GraphHome, around: GraphPorts): Promise<OpenGraph> {
  const { graph, answers } = inMemory(around)
  const pace = createYielding()
  const scan = await readGraph(home, async (lines) => {
    // The checksum says that we wrote it.
    for (const { bytes } of lines) await applyFrame(decodeLine(bytes) as Frame<GraphRecord>)
  })
  await inSlices(graph.catchUp())
  return { home, graph, answers, writer: new JournalWriter(home, around, { scan }) }

  async function applyFrame({ records, once }: Frame<GraphRecord>): Promise<void> {
    const kept = once !== undefined && answers.isInForce(once) ? once : undefined
    const receipts: Receipt[] = []
    for (const record of records) {
      graph.apply(record)
      if (kept !== undefined && isEvent(record)) receipts.push(graph.receipt(record))
      const turn = pace()
      if (turn !== undefined) await turn
    }
    if (kept !== undefined) answers.keep(kept, kept.receipts ?? receipts)
  }
}

/** Applies what was written in one go, and gives what it is answered with. */
export function applyGroup({ graph, answers }: OpenGraph, { records, once }: Group<GraphRecord>): Receipt[] {
  const receipts: Receipt[] = []
  for (const record of records) {
    graph.apply(record)
    if (isEvent(record)) receipts.push(graph.receipt(record))
  }
  if (once !== undefined) answers.keep(once, receipts)
  return receipts
}

export function inMemory({ chance }: Pick<GraphPorts, 'chance'>): Pick<OpenGraph, 'graph' | 'answers'> {
  const seed = Buffer.from(chance.randomBytes(4)).readInt32LE()
  return { graph: new Graph(seed), answers: new IdempotencyRecords(chance.now) }
}
