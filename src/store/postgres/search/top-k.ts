import type { GraphId } from '../../../domain/model.js'
import { mostOf } from '../../../domain/search/bm25.js'
import type { Scored } from '../../../domain/search/top-k.js'
import type { Hit } from '../../../graph/records.js'
import type { ContextFilter } from '../../store.js'
import type { Session } from '../connection/session.js'
import { ContextFilterQuery } from '../read/context-filter.js'
import { holds, type Marks, marksOf, type PostingList, Scores, type Weighted } from './bm25.js'

interface KnownTerm {
  readonly term: string
  /** What it is called in the database. */
  readonly key: string
  /** In how many memories it occurs. */
  readonly holding: number
  readonly idf: number
}

interface Search {
  readonly terms: readonly KnownTerm[]
  readonly scope: ContextFilter | undefined
  readonly limit: number
  readonly averageLength: number
}

/** One row for each term: a common one has thousands of blocks, and rows cost more to read than what is in them. */
const BLOCKS = `SELECT term, string_agg(block || ',' || entries, ' ') AS blocks FROM postings`
const POSTINGS = {
  name: 'postings',
  text: `${BLOCKS} WHERE graph_id = $1 AND term = ANY($2) GROUP BY term`,
}
const POSTINGS_IN = {
  name: 'postings-in-blocks',
  text: `${BLOCKS} WHERE graph_id = $1 AND term = ANY($2) AND block = ANY($3) GROUP BY term`,
}

/** Up to so many memories of a scope are fetched before the search; of a larger one, only those that rank are looked up. */
const FEW = 20_000
/** So many postings are fetched before it is seen whether the rest can matter, then more and more: looking costs, too. */
const AT_FIRST = 100_000
const GROWTH = 6
/** With more memories in the running than these, it is simpler to fetch everything. */
const MOST_RUNNING = 20_000
/** Sums are rounded, and what is close to the line has to be looked at. */
const ROUNDING = 1e-9

/**
 * The memories with the best scores, best first, ties by order of recording. Rare terms are fetched first: when even all
 * the common ones together could not lift another memory among the best, they are fetched only for those in the running.
 * The scores are exact all the same, and added up in the order of the query.
 */
export async function search(session: Session, graphId: GraphId, wanted: Search): Promise<Hit[]> {
  const bounds = wanted.scope && new ContextFilterQuery(session, graphId, wanted.scope)
  const within = bounds && (await bounds.size()).memories <= FEW ? await bounds.all() : undefined
  const isVast = bounds !== undefined && within === undefined
  const postings = new Postings(session, graphId)
  const running = isVast
    ? await fetchAll(postings, wanted)
    : await fetchRarestFirst(postings, wanted, within && marksOf(within))
  const scores = new Scores(wanted.averageLength)
  scores.add(postings.weighted(wanted.terms), running)
  const ranked = isVast ? await bestWithin(scores, bounds, wanted.limit) : scores.best(wanted.limit)
  scores.clear()
  return ranked.map(({ document, score }) => ({
    document,
    score,
    matched: wanted.terms.filter(({ key }) => holds(postings.of(key), document)).map(({ term }) => term),
  }))
}

/** What has been fetched so far. */
class Postings {
  readonly #session: Session
  readonly #graphId: GraphId
  readonly #lists = new Map<string, PostingList>()

  constructor(session: Session, graphId: GraphId) {
    this.#session = session
    this.#graphId = graphId
  }

  of(key: string): PostingList {
    return this.#lists.get(key) ?? new Map()
  }

  weighted(terms: readonly KnownTerm[]): Weighted[] {
    return terms.map(({ key, idf }) => ({ list: this.of(key), idf }))
  }

  /** All of them, or only those of some blocks. */
  async fetch(terms: readonly KnownTerm[], blocks?: readonly number[]): Promise<void> {
    const values = [this.#graphId, terms.map(({ key }) => key)]
    const rows = await this.#session.rows<{ term: string; blocks: string }>(
      blocks === undefined ? POSTINGS : POSTINGS_IN,
      blocks === undefined ? values : [...values, blocks],
    )
    for (const { term, blocks } of rows) this.#lists.set(term, listOf(blocks))
  }
}

/** `1,` and the entries of block 1, a space, `2,` and so on; no entry has a comma or a space. */
function listOf(blocks: string): PostingList {
  const list: PostingList = new Map()
  for (let at = 0; at < blocks.length; ) {
    const comma = blocks.indexOf(',', at)
    const space = blocks.indexOf(' ', comma)
    const end = space < 0 ? blocks.length : space
    list.set(Number(blocks.slice(at, comma)), blocks.slice(comma + 1, end))
    at = end + 1
  }
  return list
}

async function fetchAll(postings: Postings, { terms }: Search): Promise<undefined> {
  await postings.fetch(terms)
}

/**
 * Fetches what is needed for the best `limit`, and marks the memories that may be among them. The sums here are in the
 * order of rarity and so a little off; what is close to the line stays in the running.
 */
async function fetchRarestFirst(
  postings: Postings,
  { terms, limit, averageLength }: Search,
  within: Marks | undefined,
): Promise<Marks> {
  const waiting = [...terms].sort((a, b) => a.holding - b.holding)
  const scores = new Scores(averageLength)
  let least = 0
  for (let most = AT_FIRST; waiting.length > 0; most *= GROWTH) {
    const next = takeSome(waiting, most)
    await postings.fetch(next)
    scores.add(postings.weighted(next), within)
    const rest = waiting.reduce((sum, { idf }) => sum + mostOf(idf), 0)
    least = scores.line(limit) - rest - ROUNDING
    if (waiting.length > 0 && least > 0 && !scores.manyReach(least, MOST_RUNNING)) break
  }
  const running = scores.reaching(least)
  scores.clear()
  if (waiting.length > 0) await postings.fetch(waiting, [...running.keys()])
  return running
}

/** The next few terms, with at most so many postings, but at least one. */
function takeSome(waiting: KnownTerm[], most: number): KnownTerm[] {
  let postings = 0
  const past = waiting.findIndex(({ holding }) => {
    postings += holding
    return postings > most
  })
  return waiting.splice(0, past < 0 ? waiting.length : Math.max(1, past))
}

/** In a vast scope, the best are looked up, more and more of them, until enough are within. */
async function bestWithin(scores: Scores, bounds: ContextFilterQuery, limit: number): Promise<Scored[]> {
  for (let many = 8 * limit; ; many *= 4) {
    const best = scores.best(many)
    const within = await bounds.among(best.map(({ document }) => document))
    const found = best.filter(({ document }) => within.has(document))
    if (found.length >= limit || best.length < many) return found.slice(0, limit)
  }
}
