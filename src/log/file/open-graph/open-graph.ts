import type { Receipt } from '../../../domain/model.js'
import { decideNext } from '../../../graph/deciding.js'
import type { Graph } from '../../../graph/graph.js'
import { Graph } from '../../../graph/graph.js'
import type { EventRecord } from '../../../graph/records.js'
import { type GraphRecord, isEvent } from '../../../graph/records.js'
import type { Prepared } from '../../../graph/search/duplicate-index.js'
import { receiptOf } from '../../../graph/views.js'
import { createYielding } from '../../../loop/yielding.js'
import { IdempotencyRecords } from '../../idempotency.js'
import { RecentRecords } from '../../recent.js'
import type { StoredRecord } from '../../stored.js'
import { type GraphHome, readGraph } from '../graph-files/journal.js'
import { JournalWriter } from '../graph-files/journal-writer.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { decodeFrame, type Frame, type Group } from '../log/frame.js'
import { JOURNAL_FORMAT } from '../log/header.js'
import { readIndexes } from './index-file.js'
import { newMeanings, openMeanings } from './meanings-of.js'
import { Whole } from './whole.js'

const NO_BEARING: Pick<Receipt, 'bearsOn'> = { bearsOn: [] }

/** An open graph: its image in memory and its journal writer. */
export interface OpenGraph {
  readonly home: GraphHome
  readonly graph: Graph
  readonly idempotency: IdempotencyRecords
  readonly recent: RecentRecords
  readonly whole: Whole
  readonly writer: JournalWriter
}

/** A graph of which nothing is on disk yet. */
export function openNothing(home: GraphHome, ports: GraphPorts): OpenGraph {
  return { home, ...inMemory(home, ports), writer: new JournalWriter(home, ports) }
}

/** Closes the files of a graph; what is being read of it for meaning is dropped, and so is indexing it. */
export async function closeGraph({ graph, writer }: OpenGraph, { reader }: GraphPorts): Promise<void> {
  graph.indexes.stop()
  reader?.remove(graph)
  try {
    await writer.close()
  } finally {
    await graph.meanings?.close()
  }
}

/** Reads a graph, in slices, so that other requests are served in between. */
export async function openFrom(home: GraphHome, ports: GraphPorts): Promise<OpenGraph> {
  const { graph, ...others } = inMemory(home, ports)
  const { idempotency } = others
  const yielding = createYielding()
  const scan = await readGraph(home, async (lines, format) => {
    for (const { bytes } of lines) await applyFrame(await decodeFrame<StoredRecord>(bytes), format)
  })
  graph.indexes.keptBy(() => readIndexes(home))
  await openMeanings(home, ports, graph)
  return { home, graph, ...others, writer: new JournalWriter(home, ports, { scan }) }

  async function applyFrame({ records, once }: Frame<StoredRecord>, format: number): Promise<void> {
    const kept = once !== undefined && idempotency.isInForce(once) ? once : undefined
    const receipts: Receipt[] = []
    for (const stored of records) {
      const record = format < JOURNAL_FORMAT ? await restored(graph, stored) : graph.restore(stored)
      graph.apply(record)
      if (!isEvent(record)) for (const key of record.spent ?? []) idempotency.spend(key)
      else if (kept !== undefined) receipts.push(receiptOf(record, graph))
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    if (kept === undefined) return
    // Format 1 did not say what an event did to others.
    idempotency.keep(kept, kept.receipts?.map((receipt) => ({ ...NO_BEARING, ...receipt })) ?? receipts)
  }
}

/** Format 1 kept no decisions: they are made as the graph is read, and kept when it is rewritten. */
async function restored(graph: Graph, stored: StoredRecord): Promise<GraphRecord> {
  const record = graph.restore(stored)
  if (!isEvent(record)) return record
  const decided = await decideNext(graph, record)
  graph.keepDecisions(decided)
  return decided
}

/** Applies the records of one append, which are on disk, and gives its receipts. Works in slices. */
export async function applyRecords(
  { graph, idempotency, recent }: OpenGraph,
  { records, once }: Group<EventRecord>,
  contents: readonly Prepared[],
  yielding: () => Promise<void> | undefined,
): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for (const [i, record] of records.entries()) {
    graph.apply(record, contents[i])
    recent.add(record)
    const turn = yielding()
    if (turn !== undefined) await turn
    receipts.push(receiptOf(record, graph))
  }
  if (once !== undefined) idempotency.keep(once, receipts)
  return receipts
}

export function inMemory(
  home: GraphHome,
  ports: Pick<GraphPorts, 'clockAndRandom' | 'texts' | 'reader'>,
): Omit<OpenGraph, 'home' | 'writer'> {
  const { clockAndRandom, texts } = ports
  const seed = Buffer.from(clockAndRandom.randomBytes(4)).readInt32LE()
  const graph = new Graph(seed, texts)
  graph.meanings = newMeanings(home, ports, graph)
  const idempotency = new IdempotencyRecords(clockAndRandom.now)
  return { graph, idempotency, recent: new RecentRecords(), whole: new Whole() }
}
