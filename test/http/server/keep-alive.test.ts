import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/server.js'

let server: TestServer
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => {
  agent.destroy()
  return server.stop()
})

function get(path: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request({ agent, host: '127.0.0.1', port: server.port, path }, async (incoming) => {
      let text = ''
      for await (const chunk of incoming) text += chunk
      resolve({ status: incoming.statusCode, text })
    })
      .on('error', reject)
      .end()
  })
}

test('B7: what the parser refuses is answered on a connection that has served before, too', async () => {
  for (let i = 0; i < 3; i++) {
    expect((await get('/livez')).status).toBe(200)
    const refused = await get(`/v1/contexts/${'x'.repeat(20_000)}`)
    expect(refused.status).toBe(431)
    expect(JSON.parse(refused.text)).toMatchObject({ status: 431, code: 'headers_too_large' })
  }
})
