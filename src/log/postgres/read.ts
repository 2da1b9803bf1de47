import type { GraphId } from '../../domain/model.js'
import type { Entry } from '../entries.js'
import { Diverged, type Head, isUnerased, NewerVersion } from '../graph-log.js'
import type { Queries } from './database.js'
import { ENTRY_VERSION, type EntryRow, fromRow } from './rows.js'

/** The approximate size of a page. `octet_length` does not read values that are stored outside of their rows. */
const PAGE_BYTES = 256 * 1024
const MAX_ROWS = 1000

/**
 * The entries after position $2, and the graph at the same moment. `continues` tells whether the last entry up to $2 ends there
 * and was written by the append $3. With $4, starts at the entry that may contain that position.
 */
const PAGE = `SELECT g.epoch, g.position AS last, g.erased_at, g.min_version, page.positions, page.counts, page.entries,
    $3::text IS NULL OR coalesce((SELECT e.append_id = $3 AND e.position + e.count - 1 = $2 FROM entries e
      WHERE e.graph_id = $1 AND e.epoch = g.epoch AND e.position <= $2 ORDER BY e.position DESC LIMIT 1), false) AS continues
  FROM graphs g, LATERAL (
    SELECT array_agg(position ORDER BY position) AS positions, array_agg(count ORDER BY position) AS counts,
        string_agg(entry, E'\\n' ORDER BY position) AS entries
      FROM (SELECT position, count, entry,
          sum(octet_length(entry)) OVER (ORDER BY position) - octet_length(entry) AS before
        FROM (SELECT position, count, entry FROM entries
          WHERE graph_id = $1 AND epoch = g.epoch AND position > $2 AND position >= coalesce((SELECT max(e.position)
            FROM entries e WHERE e.graph_id = $1 AND e.epoch = g.epoch AND e.position <= $4), 0) ORDER BY position LIMIT ${MAX_ROWS}) AS next) AS sized
      WHERE before < ${PAGE_BYTES}) AS page
  WHERE g.graph_id = $1`

interface PageRow {
  readonly epoch: number
  readonly last: number
  readonly erased_at: number
  readonly min_version: number
  readonly continues: boolean
  readonly positions: readonly number[] | null
  readonly counts: readonly number[] | null
  /** One line for each entry, since stored JSON contains no line feeds. */
  readonly entries: string | null
}

/**
 * As `GraphLog.read`. Each page is read only after the caller has taken the one before, so that no page holds text that was
 * erased meanwhile.
 */
export async function* readEntries(
  queries: Queries,
  graphId: GraphId,
  after: Head | undefined,
  known?: Head,
  from?: number,
): AsyncGenerator<readonly Entry[]> {
  let position = after?.position ?? 0
  let start: readonly unknown[] = [after?.appendId ?? null, from ?? null]
  let state: Pick<Head, 'epoch' | 'erasedAt'> | undefined = known
  let last: number | undefined
  do {
    const [page] = await queries.rows<PageRow>(PAGE, [graphId, position, ...start])
    if (page === undefined && after === undefined && state === undefined) return
    if (page === undefined || !page.continues) throw new Diverged()
    const now = { epoch: String(page.epoch), erasedAt: page.erased_at }
    state ??= now
    if (!isUnerased(state, now) || (after !== undefined && after.epoch !== now.epoch)) throw new Diverged()
    if (page.min_version > ENTRY_VERSION) throw new NewerVersion(graphId)
    const entries = Array.from(rowsOf(page), (row) => fromRow(graphId, row))
    if (entries.length === 0) return
    position = page.positions?.at(-1) ?? position
    start = [null, null]
    last ??= page.last
    yield entries
  } while (position < last)
}

function* rowsOf({ positions, counts, entries }: PageRow): Generator<EntryRow> {
  const texts = entries?.split('\n') ?? []
  for (const [i, entry] of texts.entries())
    yield { position: positions?.[i] ?? 0, count: counts?.[i] ?? 0, entry }
}
