import type { GraphId } from '../../../domain/model.js'
import { gramsOf, splitContextId } from '../../../domain/names.js'
import type { TextCache } from '../../../domain/text-cache.js'
import { nextTurn } from '../../../loop/next-turn.js'
import type { Session } from '../connection/session.js'
import { documentOf } from '../schema/document.js'
import { payloadOf } from '../schema/rows.js'
import { type BlockTable, Cuts } from '../search/cuts.js'
import { blockOf, ENTRY, entryOf, termKey } from '../search/postings.js'
import { GRAM_ENTRY, gramBlockOf, gramEntryOf } from '../search/trigrams.js'
import type { Going, LosingContext } from './plan.js'

const TEXTS = {
  name: 'erase-texts',
  text: `SELECT m.seq, m.payload, m.length, c.context_id FROM unnest($2::bigint[]) AS wanted(seq)
    CROSS JOIN LATERAL (SELECT seq, payload, length, context_no FROM memories
      WHERE graph_id = $1 AND seq = wanted.seq OFFSET 0) m
    CROSS JOIN LATERAL (SELECT context_id FROM contexts
      WHERE graph_id = $1 AND context_no = m.context_no OFFSET 0) c`,
}
const COUNT = {
  name: 'erase-count-terms',
  text: `UPDATE terms t SET holding = t.holding - gone.count FROM unnest($2::text[], $3::integer[]) AS gone(term, count)
    WHERE t.graph_id = $1 AND t.term = gone.term`,
}
const FORGET = {
  name: 'erase-forget-terms',
  text: `DELETE FROM terms t USING unnest($2::text[]) AS gone(term)
    WHERE t.graph_id = $1 AND t.term = gone.term AND t.holding <= 0`,
}
const POSTINGS: BlockTable = { table: 'postings', key: 'term', letters: ENTRY }
const NAMES: BlockTable = { table: 'name_grams', key: 'gram', letters: GRAM_ENTRY }
/** So many texts are read at a time, and about so many blocks changed. */
const TEXTS_AT_ONCE = 100
const BLOCKS_AT_ONCE = 2000

interface TextRow {
  readonly seq: number
  readonly payload: string
  readonly length: number
  readonly context_id: string
}

/**
 * Takes memories out of the index of words. False when they are not there as these words: another version of the program,
 * or of Node.js, which parts some scripts into words, took the texts apart otherwise.
 */
export async function takeOutWords(
  session: Session,
  graphId: GraphId,
  going: readonly Going[],
  texts: TextCache,
): Promise<boolean> {
  for (let from = 0; from < going.length; from += TEXTS_AT_ONCE) {
    const seqs = going.slice(from, from + TEXTS_AT_ONCE).map(({ seq }) => seq)
    const rows = await session.rows<TextRow>(TEXTS, [graphId, seqs])
    let gone = new Words()
    for (const row of rows) {
      if (!gone.add(row, texts)) return false
      await nextTurn()
      if (gone.size < BLOCKS_AT_ONCE) continue
      if (!(await gone.takeOut(session, graphId))) return false
      gone = new Words()
    }
    if (!(await gone.takeOut(session, graphId))) return false
  }
  return true
}

class Words {
  readonly #cuts = new Cuts()
  readonly #holding = new Map<string, number>()

  get size(): number {
    return this.#cuts.size
  }

  /** False when the text is of another length than it was. */
  add({ seq, payload, length: before, context_id }: TextRow, texts: TextCache): boolean {
    const { counts, length } = documentOf(payloadOf(payload), context_id, texts)
    for (const [term, count] of counts) {
      const key = termKey(term)
      this.#cuts.add(key, blockOf(seq), entryOf(seq, count, length))
      this.#holding.set(key, (this.#holding.get(key) ?? 0) + 1)
    }
    return length === before
  }

  async takeOut(session: Session, graphId: GraphId): Promise<boolean> {
    if (!(await this.#cuts.flush(session, graphId, POSTINGS))) return false
    const terms = [...this.#holding.keys()]
    await session.rows(COUNT, [graphId, terms, [...this.#holding.values()]])
    await session.rows(FORGET, [graphId, terms])
    return true
  }
}

/** Takes contexts that go out of the index of names; false when they are not there as these grams. */
export async function takeOutNames(
  session: Session,
  graphId: GraphId,
  contexts: readonly LosingContext[],
): Promise<boolean> {
  const cuts = new Cuts()
  for (const { context_no, context_id, isGoing } of contexts)
    if (isGoing)
      for (const gram of gramsOf(splitContextId(context_id).name))
        cuts.add(gram, gramBlockOf(context_no), gramEntryOf(context_no))
  return cuts.flush(session, graphId, NAMES)
}
