import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../../src/service/demo-graph.js'
import { expectBelow } from '../../support/quick.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const LETTERS = 4_000
/** Some times what the dearest of them takes on a quiet machine; patterns that took quadratic time needed half a second. */
const MAX_MS = 150

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await loadDemo(server.store)
})
afterAll(() => server.stop())

describe(`C7: a question of ${LETTERS} letters takes less than ${MAX_MS} ms of the processor`, () => {
  test.each([
    ['one Latin letter', 'a'],
    ['Latin', 'abcdefghijklmnopqrstuvwxyz'],
    ['English', 'How do we deploy the payment service and what broke? '],
    ['one Han character', '什'],
    ['Chinese', '数据库连接使用'],
    ['Thai', 'ฐานข้อมูลการเชื่อมต่อ'],
    ['Hangul', '데이터베이스연결'],
    ['Hiragana', 'ひらがなのことば'],
    ['U+FDFA, which stands for eighteen letters', '\ufdfa'],
  ])('C7: %s', async (_name, unit) => {
    const text = unit.repeat(LETTERS).slice(0, LETTERS)
    for (const [path, json] of [
      ['/v1/memories', { graph_id: 'demo', query: text }],
      ['/v1/memories/insights', { graph_id: 'demo', task: text }],
    ] as const)
      await expectBelow(MAX_MS, async () => {
        const before = process.cpuUsage()
        const { status } = await server.call(path, { json })
        const { user, system } = process.cpuUsage(before)
        expect(status).toBe(200)
        return (user + system) / 1000
      })
  })
})
