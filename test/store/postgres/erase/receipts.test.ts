import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { Receipt } from '../../../../src/domain/model.js'
import { describePostgres, usePostgres } from '../../../support/postgres.js'
import { at, event, extending } from '../../support.js'

/** More receipts than are looked at once, by number and by letters. */
const ANSWERS = 2_000
const EVENTS = 40
const MOST_LETTERS = 1_000_000

describePostgres('the receipts that are kept of a graph', () => {
  const bench = usePostgres()

  test.each([1, 150])(
    'are looked through some at a time when %i memories are erased',
    async (many) => {
      const graph = `g${many}`
      const append = (context: string, count: number, links = {}) =>
        bench.store.append(
          graph,
          Array.from({ length: count }, (_, i) => event(context, `note ${i}`, links)),
          at,
        )
      const gone = await append('skill:gone', many)
      const kept = await append('skill:kept', EVENTS)
      const bearing = await append('skill:bearing', EVENTS, extending(gone[0]?.memoryId ?? ''))
      await keep(graph, 'kept', kept)
      await keep(graph, 'bearing', bearing)
      await keep(graph, 'gone', [...kept, ...gone.slice(0, 1)])
      const query = vi.spyOn(pg.Client.prototype, 'query')
      await bench.store.erase(graph, { contextId: 'skill:gone' }, { dryRun: false })
      const looked = await Promise.all(query.mock.results.map(async ({ value }) => lettersIn(await value)))
      query.mockRestore()
      expect(Math.max(...looked)).toBeLessThan(MOST_LETTERS)
      expect(await answers(graph)).toEqual([
        {
          kind: 'bearing',
          body: 'b',
          answers: ANSWERS,
          receipts: JSON.stringify(bearing.map(withoutEffects)),
        },
        { kind: 'gone', body: '', answers: ANSWERS, receipts: '[]' },
        { kind: 'kept', body: 'b', answers: ANSWERS, receipts: JSON.stringify(kept) },
      ])
    },
    60_000,
  )

  function keep(graph: string, kind: string, receipts: readonly Receipt[]) {
    return bench.database.query(
      `INSERT INTO done_once (graph_id, key, body, receipts, expires_at)
        SELECT $1, $2 || ' ' || md5($2 || i), 'b', $3, '9' FROM generate_series(1, ${ANSWERS}) AS i`,
      [graph, kind, JSON.stringify(receipts)],
    )
  }

  function answers(graph: string) {
    return bench.database.query(
      `SELECT split_part(key, ' ', 1) AS kind, body, count(*)::integer AS answers, receipts FROM done_once
        WHERE graph_id = $1 GROUP BY 1, 2, 4 ORDER BY 1`,
      [graph],
    )
  }
})

function withoutEffects(receipt: Receipt): Receipt {
  return { ...receipt, bearsOn: [] }
}

function lettersIn(result: Partial<pg.QueryResult<{ receipts?: string }>> | undefined): number {
  return (result?.rows ?? []).reduce((sum, { receipts = '' }) => sum + receipts.length, 0)
}
