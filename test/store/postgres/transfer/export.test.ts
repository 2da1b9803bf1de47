import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PastEvent } from '../../../../src/domain/events/recording.js'
import type { NewMemory } from '../../../../src/domain/model.js'
import { Database } from '../../../../src/store/postgres/connection/database.js'
import type { Session } from '../../../../src/store/postgres/connection/session.js'
import { NEXT } from '../../../../src/store/postgres/transfer/event-rows.js'
import {
  exportGraph,
  numberedPages,
  pagesAsOfNow,
  statementsAfter,
} from '../../../../src/store/postgres/transfer/export.js'
import { describePostgres, usePostgres } from '../../../support/postgres.js'
import { SILENT } from '../../../support/silent.js'
import { at, event, extending } from '../../support.js'

/** So many that as many as can be are asked for at once when the long ones come. */
const SHORT = Array.from({ length: 1_100 }, (_, i) => event('skill:a', `note ${i % 1_000}`))
const LONG = Array.from({ length: 100 }, (_, i) => event('skill:b', `${i} ${'x'.repeat(64_000)}`))
/** What these link to is longer than what they say. */
const LINKED = (ids: readonly string[]) =>
  Array.from({ length: 300 }, (_, i) => event('skill:c', `on all of it ${i}`, extending(...ids)))
const LOOKS = {
  name: 'looks',
  text: 'SELECT sum(idx_tup_fetch)::integer AS number FROM pg_stat_xact_user_tables',
}
const LETTERS = 1_200_000

type Pages = AsyncIterable<readonly PastEvent[]>

describePostgres('events from PostgreSQL', () => {
  const bench = usePostgres()
  let connections: Database
  let told: readonly NewMemory[]
  beforeAll(async () => {
    const ids = (await bench.store.append('g', SHORT, at)).slice(0, 100).map(({ memoryId }) => memoryId)
    told = [...LONG, ...SHORT, ...LINKED(ids), ...LONG.slice(0, 50), event('skill:a', 'the last')]
    await bench.store.append('g', told, at)
    told = [...SHORT, ...told]
    connections = new Database({ url: bench.database.url, log: SILENT })
  }, 60_000)
  afterAll(async () => {
    await connections.close()
  })

  const within = (pages: (session: Session) => Promise<Pages>) => () =>
    connections.read(async (session) => taken(await pages(session)))

  test.each([
    ['of an export', async () => taken((await exportGraph(connections, 'g', {})).events)],
    ['of a feed', () => taken(statementsAfter(connections, 'g', 0))],
    ['with their numbers', within(async (session) => unnumbered(session))],
    ['of a cursor', within((session) => pagesAsOfNow(session, 'g', told.length)), 2 * LETTERS],
  ])(
    '%s: all of them, and no more letters at once than fit, long ones after short ones',
    async (_, take, most = LETTERS) => {
      const pages = await take()
      expect(pages.flat().map(({ payload }) => payload)).toEqual(told.map(({ payload }) => payload))
      expect(Math.max(...pages.map((page) => JSON.stringify(page).length))).toBeLessThan(most)
      expect(pages.length).toBeLessThan(100)
    },
    60_000,
  )

  test('of a graph that no statistics know: each is looked up by itself', async () => {
    const looks = await connections.read(async (session) => {
      const before = await session.row<{ number: number }>(LOOKS)
      await session.rows(NEXT, ['g', SHORT.length, 500])
      const after = await session.row<{ number: number }>(LOOKS)
      return (after?.number ?? 0) - (before?.number ?? 0)
    })
    expect(looks).toBeGreaterThan(500)
    expect(looks).toBeLessThan(5_000)
  })
})

async function taken(pages: Pages): Promise<(readonly PastEvent[])[]> {
  const all: (readonly PastEvent[])[] = []
  for await (const page of pages) all.push(page)
  return all
}

async function* unnumbered(session: Session): AsyncGenerator<readonly PastEvent[]> {
  for await (const page of numberedPages(session, 'g', Number.MAX_SAFE_INTEGER))
    yield page.map(({ event }) => event)
}
