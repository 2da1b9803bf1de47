import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { describePostgres, usePostgres } from '../../../support/postgres.js'
import { at, event, exported, extending } from '../../support.js'
import { countTurns } from '../count-turns.js'

const EVENTS = 200
/** About as long as an event may be. */
const LONG = 'x'.repeat(64_000)
const MOST_LETTERS = 5 * LONG.length

describePostgres('a batch of long events', () => {
  const bench = usePostgres()

  test('is hashed in several turns of the event loop', async () => {
    const turns = countTurns()
    const readIn = new Map<number, number>()
    const events = Array.from({ length: EVENTS }, (_, i) => {
      const { payload, ...one } = event('skill:hashed', `${i} ${LONG}`)
      return {
        ...one,
        get payload() {
          if (!readIn.has(i)) readIn.set(i, turns.now())
          return payload
        },
      }
    })
    await bench.store.append('hashed', events, at)
    turns.stop()
    expect(readIn.size).toBe(EVENTS)
    expect(new Set(readIn.values()).size).toBeGreaterThan(2)
  }, 60_000)

  test.each([
    ['without links', {}],
    ['with links', extending('skill:base')],
  ])(
    '%s is written some at a time, and others have their turn between',
    async (name, links) => {
      const events = Array.from({ length: EVENTS }, (_, i) => event('skill:a', `${i} ${LONG}`, links))
      const query = vi.spyOn(pg.Client.prototype, 'query')
      const inserts = () =>
        query.mock.calls.flatMap(([config]: readonly unknown[]) => {
          const { text, values } = config as Partial<pg.QueryConfig<unknown[]>>
          return text?.startsWith('INSERT INTO memories ') ? [values] : []
        })
      const written = new Set<number>()
      const turns = countTurns(() => written.add(inserts().length))
      await bench.store.append(name, events, at)
      turns.stop()
      const letters = inserts().map((values) => JSON.stringify(values).length)
      query.mockRestore()
      expect(Math.max(...letters)).toBeLessThan(MOST_LETTERS)
      expect(written.size).toBeGreaterThan(3)
      expect((await exported(bench.store, name)).map(({ payload }) => payload)).toEqual(
        events.map(({ payload }) => payload),
      )
    },
    60_000,
  )
})
