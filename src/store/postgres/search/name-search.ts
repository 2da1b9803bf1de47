import type { Context, GraphId } from '../../../domain/model.js'
import { gramsOf, type NameQuery } from '../../../domain/names.js'
import type { Page, Paging } from '../../../domain/page.js'
import type { Session } from '../connection/session.js'
import { type ContextColumns, toContext } from '../schema/rows.js'
import { inAll } from './trigrams.js'

const GRAMS = {
  name: 'name-grams',
  text: 'SELECT gram, block, entries FROM name_grams WHERE graph_id = $1 AND gram = ANY($2)',
}
const TYPES_HOLDING = {
  name: 'types-holding',
  text: `SELECT context_type, contexts FROM context_types
    WHERE graph_id = $1 AND EXISTS (SELECT FROM unnest($2::text[]) AS t WHERE strpos(context_type, t) > 0)`,
}

/**
 * The rules of `nameRank` in SQL: every term occurs in the name or the type; 0 the id is the query, 1 the name is, 2 the
 * name starts with it, 3 every term starts a word, 4 the rest. A word starts at the start or after a separator. Folded names hold no white
 * space, and a term holds separators only if it holds nothing else: then it starts no word.
 */
const RANKED = `SELECT c.context_no, c.sort_key,
    CASE WHEN c.context_id = $2 THEN 0 WHEN c.context_name = $2 THEN 1 WHEN starts_with(c.context_name, $2) THEN 2
      WHEN (SELECT bool_and(t !~ '^[-_.:/]' AND strpos('_' || translate(c.context_name, '-.:/', '____') || ' _'
        || translate(c.context_type, '-.:/', '____'), '_' || t) > 0) FROM unnest($3::text[]) AS t) THEN 3 ELSE 4 END AS rank
  FROM contexts c
  WHERE c.graph_id = $1 AND (SELECT bool_and(strpos(c.context_name, t) > 0 OR strpos(c.context_type, t) > 0)
    FROM unnest($3::text[]) AS t)`
/** Only those of the page are read as a whole. */
const PAGE = (
  ranked: string,
) => `WITH ranked AS MATERIALIZED (${ranked}), total AS (SELECT count(*) AS total FROM ranked),
  best AS (SELECT * FROM ranked ORDER BY rank, sort_key LIMIT $4 OFFSET $5)
  SELECT page.*, total FROM total LEFT JOIN (SELECT c.*, best.rank, best.sort_key FROM best CROSS JOIN LATERAL (
      SELECT context_no, context_id, context_type, context_name, memories, created_at, updated_at FROM contexts
      WHERE graph_id = $1 AND context_no = best.context_no OFFSET 0) c) page ON true
  ORDER BY rank, sort_key`
const AMONG_ALL = { name: 'search-names', text: PAGE(RANKED) }
const AMONG_FEW = {
  name: 'search-names-among',
  text: PAGE(`${RANKED} AND (c.context_no = ANY($6) OR c.context_type = ANY($7))`),
}

/** Beyond these it is quicker to look at every name. */
const FEW = 20_000

/** The contexts that match, best first, then by id. Only those that the grams of the terms allow are looked at. */
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

/**
 * The contexts among which all that match are. A term that occurs in no type must occur in the name; when every term
 * occurs in some type, the longest says the most.
 */
async function fewest(
  session: Session,
  graphId: GraphId,
  { terms }: NameQuery,
): Promise<Candidates | undefined> {
  const long = [...terms].filter((term) => gramsOf(term).size > 0).sort((a, b) => b.length - a.length)
  const [longest] = long
  if (longest === undefined) return undefined
  const types = await session.rows<{ context_type: string; contexts: number }>(TYPES_HOLDING, [graphId, long])
  const typesOf = (term: string) => types.filter(({ context_type }) => context_type.includes(term))
  const inNames = long.filter((term) => typesOf(term).length === 0)
  const needed = inNames.length > 0 ? inNames : [longest]
  const allowed = inNames.length > 0 ? [] : typesOf(longest)
  const numbers = await holding(session, graphId, new Set(needed.flatMap((term) => [...gramsOf(term)])))
  const ofTypes = allowed.reduce((sum, { contexts }) => sum + contexts, 0)
  if (numbers.length + ofTypes > FEW) return undefined
  return { numbers, types: allowed.map(({ context_type }) => context_type) }
}

/** The contexts whose name holds all of the grams. */
async function holding(session: Session, graphId: GraphId, grams: ReadonlySet<string>): Promise<number[]> {
  const rows = await session.rows<{ gram: string; block: number; entries: string }>(GRAMS, [
    graphId,
    [...grams],
  ])
  const blocks = new Map<number, string[]>()
  for (const { block, entries } of rows) {
    const lists = blocks.get(block)
    if (lists === undefined) blocks.set(block, [entries])
    else lists.push(entries)
  }
  return Array.from(blocks, ([block, lists]) => (lists.length < grams.size ? [] : inAll(block, lists))).flat()
}
