import { NEAREST_CODES, nearestOf } from '../../../domain/meaning/code-table.js'
import type { GraphId, Memory, MemoryId } from '../../../domain/model.js'
import type { Near } from '../../../domain/search/knowledge.js'
import type { Meaning } from '../../meaning.js'
import type { Session } from '../connection/session.js'
import { ContextFilterQuery } from '../read/context-filter.js'
import { memoriesAt } from '../read/memories.js'
import type { CodeCache } from './code-cache.js'
import type { Reading } from './reading.js'

const AT = {
  name: 'vectors-at',
  text: `SELECT v.seq, v.vector FROM unnest($2::bigint[]) AS wanted(seq) CROSS JOIN LATERAL (
      SELECT seq, vector FROM vectors WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) v`,
}
const BY_ID = {
  name: 'vectors-by-id',
  text: `SELECT v.memory_id, v.vector FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id, vector FROM vectors WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) v`,
}

/** Up to so many memories of a scope are fetched before the codes are compared; of a larger one, only the nearest are looked up. */
const FEW = 20_000

/** What is read by this process, and with what. */
export interface Meanings {
  readonly meaning: Meaning
  readonly codes: CodeCache
}

/** See `Knowledge.nearest`; `reading` is what the session sees. */
export async function nearestMemories(
  session: Session,
  graphId: GraphId,
  meanings: Meanings,
  reading: Reading | undefined,
  near: Near,
): Promise<Memory[]> {
  if (reading?.model !== meanings.meaning.identity) return []
  const seqs = await candidates(session, graphId, meanings, reading, near)
  const rows = await session.rows<{ seq: number; vector: Buffer }>(AT, [graphId, seqs])
  const found = rows.map(({ seq, vector }) => ({ row: seq, vector: vectorOf(vector) }))
  return memoriesAt(
    session,
    graphId,
    nearestOf(found, near.vector, near.limit).map(({ row }) => row),
  )
}

/** See `Knowledge.vectors`. */
export async function vectorsOf(
  session: Session,
  graphId: GraphId,
  { meaning }: Meanings,
  reading: Promise<Reading | undefined>,
  memoryIds: readonly MemoryId[],
): Promise<Map<MemoryId, Int8Array>> {
  const asked = session.rows<{ memory_id: MemoryId; vector: Buffer }>(BY_ID, [graphId, memoryIds])
  const [known, rows] = await Promise.all([reading, asked])
  if (known?.model !== meaning.identity) return new Map()
  return new Map(rows.map(({ memory_id, vector }) => [memory_id, vectorOf(vector)]))
}

/** The memories of the scope whose codes are nearest: as many as are compared by their bytes. */
async function candidates(
  session: Session,
  graphId: GraphId,
  { meaning: { scan }, codes }: Meanings,
  reading: Reading,
  { vector, scope, limit }: Near,
): Promise<readonly number[]> {
  const [table, bounds] = await Promise.all([
    codes.of(session, graphId, reading),
    scope && boundsOf(new ContextFilterQuery(session, graphId, scope)),
  ])
  const { memories: count } = reading
  const most = Math.max(NEAREST_CODES, limit)
  if (bounds === undefined) return table.nearest(scan, vector, count, most)
  if (bounds instanceof Set) return table.nearest(scan, vector, count, most, (seq) => bounds.has(seq))
  // In a vast scope, the nearest are looked up, more and more of them, until enough are within.
  for (let many = 8 * most; ; many *= 4) {
    const nearest = table.nearest(scan, vector, count, many)
    const within = await bounds.among(nearest)
    const found = nearest.filter((seq) => within.has(seq))
    if (found.length >= most || nearest.length < many) return found.slice(0, most)
  }
}

/** Every memory of a small scope, or what a vast one is asked by. */
async function boundsOf(scope: ContextFilterQuery): Promise<Set<number> | ContextFilterQuery> {
  return (await scope.size()).memories <= FEW ? scope.all() : scope
}

function vectorOf(bytes: Buffer): Int8Array {
  return Int8Array.from(bytes)
}
