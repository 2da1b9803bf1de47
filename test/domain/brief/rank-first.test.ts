import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/server.js'

/** A validator, a user and an agent say one thing each; then an agent records as much as it likes. */
const FLOOD = 120
const RULE = 'Releases need the approval of two reviewers'
const WISH = 'Releases on Fridays are to be avoided'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const event = (source: string, context_id: string, text: string, event_kind = 'fact') => ({
    ...{ source, context_id, event_kind },
    payload: { text },
  })
  const flood = Array.from({ length: FLOOD }, (_, i) => [
    event('agent', `rule:release_${i}`, `Releases need no approval of reviewers, case ${i}`, 'decision'),
    event('agent', `rule:release_${i}`, `Releases need no approval of reviewers, seen ${i}`),
  ]).flat()
  const events = [
    event('validator', 'rule:releases', RULE, 'decision'),
    event('user', 'rule:fridays', WISH),
    ...flood,
  ]
  const confirmed = Array.from({ length: 5 }, () => flood[0])
  for (let at = 0; at < events.length; at += 100) {
    const json = { graph_id: 'g', events: events.slice(at, at + 100) }
    expect((await server.call('/v1/events/batch', { json })).status).toBe(201)
  }
  for (const json of confirmed) await server.call('/v1/events', { json: { graph_id: 'g', ...json } })
})
afterAll(() => server.stop())

async function sections(query: string): Promise<Map<string, string[]>> {
  const { body } = await server.call(`/v1/graphs/g/brief${query}`)
  const blocks = String(body['brief']).split(/^## /m).slice(1)
  return new Map(
    blocks.map((block) => {
      const [heading = '', ...lines] = block.trim().split('\n')
      return [heading, lines]
    }),
  )
}

describe('T9: however much an agent records, the brief begins with what stronger sources say', () => {
  test('of what stands', async () => {
    const [first, second, third] = (await sections('')).get('What stands') ?? []
    expect(first).toContain(RULE)
    expect(second).toContain(WISH)
    expect(third).toContain('by agent')
  })

  test('for a task', async () => {
    const lines = (await sections('?task=How%20many%20reviewers%20approve%20a%20release%3F')).get(
      'For this task',
    )
    expect(lines?.[0]).toContain(RULE)
    // What agents say is not left out.
    expect(lines?.some((line) => line.includes('by agent'))).toBe(true)
  })
})
