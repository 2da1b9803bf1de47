import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../../src/service/demo-graph.js'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ meaning: 'on' })
  await loadDemo(server.store)
})
afterAll(() => server.stop())

let sessions = 0

async function told(prompt: string): Promise<string> {
  const event = { hook_event_name: 'UserPromptSubmit', session_id: String(sessions++), prompt }
  const response = await fetch(`${server.url}/hooks/demo/claude-code`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  })
  expect([200, 204]).toContain(response.status)
  return response.text()
}

describe('a hook is gated by confidence, and by no word of the prompt', () => {
  test.each([
    'Which test runner do we use?',
    'Which test runner do we use on Saturday?',
    'We release version 3.4 next week. Which test runner do we use?',
    'Before 14:30: which test runner do we use?',
  ])('%s', async (prompt) => {
    const text = await told(prompt)
    expect(text).toContain('test runner: vitest')
    // Who recorded it, and when.
    expect(text).toMatch(/recorded \d{4}-\d\d-\d\d by (?:validator|executor|user|agent|system)/)
  })

  test.each(['how to bake bread', 'Who painted the bike shed on Saturday?', 'continue'])(
    'silent: %s',
    async (prompt) => expect(await told(prompt)).toBe(''),
  )
})
