import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEAREST_CODES } from '../../../../src/domain/meaning/code-table.js'
import { cosine, toCode } from '../../../../src/domain/meaning/nearness.js'
import type { ContextFilter } from '../../../../src/domain/search/knowledge.js'
import { codeToBytes } from '../../../../src/store/postgres/meanings/code-bytes.js'
import type { PostgresStore } from '../../../../src/store/postgres/store.js'
import { hammingDistance } from '../../../support/hamming.js'
import { vectorOf, WordMeaning } from '../../../support/meaning.js'
import { createDatabase, describePostgres, openStore, type TestDatabase } from '../../../support/postgres.js'
import { at, event } from '../../support.js'

/** More memories in one context than are fetched before the codes are compared. */
const VAST = 20_500
const ALL = 22_000
const QUESTIONS = ['note 7 of 12', 'part 3', 'note 21000', 'nothing of the kind']
const SCOPES: readonly (readonly [string, ContextFilter | undefined, (seq: number) => boolean])[] = [
  ['the whole graph', undefined, () => true],
  ['a vast scope', { types: ['skill'], contextIds: [] }, (seq) => seq <= VAST],
  ['a small scope', { types: [], contextIds: ['tool:small'] }, (seq) => seq > VAST],
]

describePostgres('the nearest of many', () => {
  let database: TestDatabase
  let store: PostgresStore
  const vectors: Int8Array[] = []
  let codes: ReturnType<typeof toCode>[] = []
  beforeAll(async () => {
    database = await createDatabase()
    store = await openStore(database.url, { meaning: await WordMeaning.create() })
    await store.append('g', [event('skill:vast', 'one'), event('tool:small', 'two')], at)
    await store.caughtUp('g')
    for (let seq = 1; seq <= ALL; seq++)
      vectors.push(vectorOf(`note ${seq % 900} of ${seq % 13} part ${seq % 7}`))
    codes = vectors.map(toCode)
    await replaceAll()
  }, 120_000)
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  /** Writes the rows themselves, which is far quicker than recording them. */
  async function replaceAll(): Promise<void> {
    await database.query('DELETE FROM memories')
    await database.query('DELETE FROM vectors')
    await database.query(`INSERT INTO memories (graph_id, seq, memory_id, context_no, kind, source, payload, content,
        occurred_at, recorded_at, length, times_seen, place)
      SELECT 'g', i, 'mem_' || i, CASE WHEN i <= ${VAST} THEN 1 ELSE 2 END, 'fact', 'agent', '{"text":"' || i || '"}',
        decode(md5(i::text), 'hex'), '2025', '2025', 2, 1, i FROM generate_series(1, ${ALL}) i`)
    await database.query(
      `INSERT INTO vectors SELECT 'g', 'mem_' || number, number, code, vector
        FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS u(code, vector, number)`,
      [codes.map(codeToBytes), vectors.map(({ buffer }) => Buffer.from(buffer))],
    )
    await database.query(
      `UPDATE contexts SET memories = CASE context_no WHEN 1 THEN ${VAST} ELSE ${ALL - VAST} END`,
    )
    await database.query(
      `UPDATE context_types SET memories = CASE context_type WHEN 'skill' THEN ${VAST} ELSE ${ALL - VAST} END`,
    )
    await database.query(`UPDATE graphs SET last_seq = ${ALL}, last_place = ${ALL}, memories = ${ALL}`)
    const generation = `nextval('reading_numbers')`
    await database.query(
      `UPDATE readings SET last_seq = ${ALL}, memories = ${ALL}, generation = ${generation}`,
    )
  }

  /** The same by comparing every vector with every question. */
  function expected(asked: Int8Array, limit: number, isWithin: (seq: number) => boolean): string[] {
    const code = toCode(asked)
    return vectors
      .map((vector, i) => ({ seq: i + 1, vector, distance: hammingDistance(code, codes[i] ?? code) }))
      .filter(({ seq }) => isWithin(seq))
      .sort((a, b) => a.distance - b.distance || a.seq - b.seq)
      .slice(0, Math.max(NEAREST_CODES, limit))
      .sort((a, b) => cosine(asked, b.vector) - cosine(asked, a.vector) || a.seq - b.seq)
      .slice(0, limit)
      .map(({ seq }) => String(seq))
  }

  test.each(SCOPES)(
    'in %s: exact among those whose codes are nearest, ties by order of recording',
    async (...row) => {
      const [, scope, isWithin] = row
      for (const question of QUESTIONS)
        for (const limit of [20, 300]) {
          const vector = vectorOf(question)
          const found = await store.read('g', async (graph) =>
            graph.nearest({ vector, limit, ...(scope && { scope }) }),
          )
          expect(found.map(({ text }) => text)).toEqual(expected(vector, limit, isWithin))
        }
    },
    120_000,
  )
})
