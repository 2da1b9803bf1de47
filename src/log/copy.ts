import type { ClockAndRandom } from '../domain/clock-and-random.js'
import type { GraphId, Receipt } from '../domain/model.js'
import type { TextCache } from '../domain/text-cache.js'
import { Meanings } from '../graph/embeddings.js'
import { Graph } from '../graph/graph.js'
import { isEvent } from '../graph/records.js'
import type { Prepared } from '../graph/search/duplicate-index.js'
import { receiptOf } from '../graph/views.js'
import { createYielding, type Turn } from '../loop/yielding.js'
import type { Logger } from '../store/logger.js'
import type { EmbeddingQueue } from './embedding.js'
import type { Entry } from './entries.js'
import { Diverged, type GraphLog, type Head, readThrough } from './graph-log.js'
import { IdempotencyRecords } from './idempotency.js'
import { RecentRecords } from './recent.js'

/** Shared by all open graphs. */
export interface CopyPorts {
  readonly log: GraphLog
  readonly clockAndRandom: ClockAndRandom
  readonly texts: TextCache
  readonly logger: Logger
  /** Undefined if nothing is embedded. */
  readonly embedding: EmbeddingQueue | undefined
}

/** A copy of a graph in memory, up to the head that was read from the log. */
export interface Copy {
  readonly graph: Graph
  readonly idempotency: IdempotencyRecords
  readonly recent: RecentRecords
  /** The head of the log that the graph is at; undefined while there is no such graph. */
  head: Head | undefined
}

/** A copy of a graph that does not exist yet, or that entries are to be applied to. */
export function emptyCopy(graphId: GraphId, ports: CopyPorts): Copy {
  const { clockAndRandom, texts } = ports
  const seed = Buffer.from(clockAndRandom.randomBytes(4)).readInt32LE()
  const copy: Copy = {
    graph: new Graph(seed, texts),
    idempotency: new IdempotencyRecords(clockAndRandom.now),
    recent: new RecentRecords(),
    head: undefined,
  }
  copy.graph.meanings = meaningsOf(graphId, copy, ports)
  return copy
}

/** Closes what a copy that is no longer used keeps open. */
export async function dropCopy({ graph }: Copy, { embedding }: CopyPorts): Promise<void> {
  graph.indexes.stop()
  embedding?.remove(graph)
  await graph.meanings?.close()
}

/** Reads a whole graph, in slices, so that other requests are served in between. */
export async function openCopy(graphId: GraphId, ports: CopyPorts): Promise<Copy> {
  for (;;) {
    const head = await ports.log.head(graphId)
    const copy = emptyCopy(graphId, ports)
    try {
      if (head !== undefined) await follow(copy, head, ports.log)
      await finishOpening(graphId, copy, ports)
      return copy
    } catch (error) {
      await dropCopy(copy, ports)
      if (!(error instanceof Diverged)) throw error
    }
  }
}

/** Loads the saved indexes and vectors of a graph. Must be called after all entries were applied. */
export async function finishOpening(graphId: GraphId, { graph }: Copy, { log }: CopyPorts): Promise<void> {
  const { indexes } = log
  if (indexes !== undefined) graph.indexes.restoreFrom(() => indexes.read(graphId))
  await graph.meanings?.open(graph.rows)
}

/**
 * Applies the entries after the head of the copy, up to `head`. Rejects with `Diverged` if they do not continue the copy, or
 * if they erase something of it; the copy is unusable then.
 */
export async function follow(copy: Copy, head: Head, log: Pick<GraphLog, 'read'>): Promise<void> {
  const isNew = copy.head === undefined
  const yielding = createYielding()
  for await (const entries of readThrough(log, head, copy.head))
    for (const entry of entries) {
      if (!isNew && entry.records.some(({ op }) => op === 'erased')) throw new Diverged()
      await applyEntry(copy, entry, yielding)
    }
  copy.head = head
}

/** Applies an entry in slices. `contents` are the contents of its records, if they were computed already. */
export async function applyEntry(
  { graph, idempotency, recent }: Copy,
  { position, records, once }: Entry,
  yielding: Turn,
  contents: readonly Prepared[] = [],
): Promise<void> {
  const answer = once !== undefined && idempotency.isInForce(once) ? once : undefined
  const receipts: Receipt[] = []
  for (const [i, record] of records.entries()) {
    graph.apply(record, contents[i])
    if (isEvent(record)) {
      recent.add(record)
      // Loregraph 0.2 stored no receipts that follow from the records.
      if (answer !== undefined && answer.receipts === undefined)
        receipts.push(receiptOf(record, graph.claims, (id) => graph.fields(id)))
    } else for (const key of record.spent ?? []) idempotency.spend(key)
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  if (answer !== undefined) idempotency.keep(answer, position, receipts)
}

function meaningsOf(graphId: GraphId, copy: Copy, ports: CopyPorts): Meanings | undefined {
  const { embedding, log, logger } = ports
  if (embedding === undefined) return undefined
  const { identity, scan } = embedding.meaning
  return new Meanings(
    log.vectors(graphId, identity, () => copy.head),
    {
      scan,
      onFailure: (error) => {
        logger.warn(
          { graph: graphId, err: error },
          'Embeddings cannot be kept; they are held in memory, or computed again.',
        )
      },
      onLost: () => embedding.add(copy.graph),
    },
  )
}
