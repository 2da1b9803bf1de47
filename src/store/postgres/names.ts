import type { Context, GraphId } from '../../domain/model.js'
import type { NameQuery } from '../../domain/names.js'
import type { Page, Paging } from '../../domain/page.js'
import { contextsIn, gramsOf } from './grams.js'
import { type ContextColumns, toContext } from './rows.js'
import type { Session } from './session.js'

const GRAMS = {
  name: 'name-grams',
  text: 'SELECT gram, block, entries FROM name_grams WHERE graph_id = $1 AND gram = ANY($2)',
}
const TYPES_HOLDING = {
  name: 'types-holding',
  text: `SELECT context_type, contexts FROM context_types WHERE graph_id = $1 AND strpos(context_type, $2) > 0`,
}

/**
 * The rules of `nameRank` in SQL: every term occurs in the name or the type; 0 the name is the query, 1 it starts with
 * it, 2 every term starts a word, 3 the rest. A word starts at the start or after a separator. Folded names hold no white
 * space, and a term holds separators only if it holds nothing else: then it starts no word.
 */
const RANKED = `SELECT c.context_no, c.context_id, c.context_type, c.context_name, c.memories, c.created_at,
    c.updated_at, c.sort_key,
    CASE WHEN c.context_name = $2 THEN 0 WHEN starts_with(c.context_name, $2) THEN 1
      WHEN (SELECT bool_and(t !~ '^[-_.:/]' AND strpos('_' || translate(c.context_name, '-.:/', '____') || ' _'
        || translate(c.context_type, '-.:/', '____'), '_' || t) > 0) FROM unnest($3::text[]) AS t) THEN 2 ELSE 3 END AS rank
  FROM contexts c
  WHERE c.graph_id = $1 AND (SELECT bool_and(strpos(c.context_name, t) > 0 OR strpos(c.context_type, t) > 0)
    FROM unnest($3::text[]) AS t)`
const PAGE = (
  ranked: string,
) => `WITH ranked AS MATERIALIZED (${ranked}), total AS (SELECT count(*) AS total FROM ranked)
  SELECT page.*, total FROM total LEFT JOIN (SELECT * FROM ranked ORDER BY rank, sort_key LIMIT $4 OFFSET $5) page ON true
  ORDER BY rank, sort_key`
const AMONG_ALL = { name: 'search-names', text: PAGE(RANKED) }
const AMONG_FEW = {
  name: 'search-names-among',
  text: PAGE(`${RANKED} AND (c.context_no = ANY($6) OR c.context_type = ANY($7))`),
}

/** Beyond these it is quicker to look at every name. */
const FEW = 20_000

/** The contexts that match, best first, then by id. Only those that the grams of the rarest term allow are looked at. */
export async function searchContexts(
  session: Session,
  graphId: GraphId,
  query: NameQuery,
  paging: Paging,
): Promise<Page<Context>> {
  if (query.terms.length === 0) return { items: [], total: 0, ...paging }
  const candidates = await fewest(session, graphId, query)
  const values = [graphId, query.text, query.terms, paging.pageSize, paging.page * paging.pageSize]
  const rows = await session.rows<ContextColumns & { total: number }>(
    candidates === undefined ? AMONG_ALL : AMONG_FEW,
    candidates === undefined ? values : [...values, candidates.numbers, candidates.types],
  )
  const items = rows.filter(({ context_no }) => context_no !== null).map(toContext)
  return { items, total: rows[0]?.total ?? 0, ...paging }
}

interface Candidates {
  readonly numbers: readonly number[]
  readonly types: readonly string[]
}

async function fewest(
  session: Session,
  graphId: GraphId,
  { terms }: NameQuery,
): Promise<Candidates | undefined> {
  const long = [...terms].filter((term) => gramsOf(term).size > 0).sort((a, b) => b.length - a.length)
  const term = long[0]
  if (term === undefined) return undefined
  const [types, numbers] = await Promise.all([
    session.rows<{ context_type: string; contexts: number }>(TYPES_HOLDING, [graphId, term]),
    holding(session, graphId, gramsOf(term)),
  ])
  const ofTypes = types.reduce((sum, { contexts }) => sum + contexts, 0)
  if (numbers.length + ofTypes > FEW) return undefined
  return { numbers, types: types.map(({ context_type }) => context_type) }
}

/** The contexts whose name holds all of the grams. */
async function holding(session: Session, graphId: GraphId, grams: ReadonlySet<string>): Promise<number[]> {
  const rows = await session.rows<{ gram: string; block: number; entries: string }>(GRAMS, [
    graphId,
    [...grams],
  ])
  const counts = new Map<number, number>()
  for (const { block, entries } of rows)
    for (const number of contextsIn(block, entries)) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...counts].filter(([, count]) => count === grams.size).map(([number]) => number)
}
