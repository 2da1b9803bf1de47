import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exportOf, NDJSON } from '../../support/ndjson.js'
import { checkProblem } from '../../support/problem.js'
import { parseAnswer } from '../../support/raw.js'
import { startTestServer } from '../../support/server.js'

test('E2: what is under way at the deadline is answered with 503, logged as that, and not kept', async () => {
  const server = await startTestServer({
    handlers: { getContext: () => new Promise(() => {}) },
  })
  onTestFinished(() => server.stop())
  const ask = (head: string, drip?: string) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    socket.write(`${head}\r\nHost: x\r\nAuthorization: Bearer ${server.secret}\r\n`)
    const timer = setInterval(() => drip !== undefined && socket.write(drip), 100)
    return new Promise<ReturnType<typeof parseAnswer>>((resolve) => {
      let text = ''
      socket.on('data', (data) => {
        text += data.toString('latin1')
        // The rest of the import comes when it was refused already.
        if (drip !== undefined)
          socket.write(`${exportOf([]).length.toString(16)}\r\n${exportOf([])}\r\n0\r\n\r\n`)
        clearInterval(timer)
      })
      socket.on('close', () => {
        clearInterval(timer)
        resolve(parseAnswer(text))
      })
      socket.write(
        drip === undefined ? '\r\n' : `Content-Type: ${NDJSON}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
    })
  }
  const answers = [
    ask('POST /v1/graphs/cut/events HTTP/1.1', '1\r\n \r\n'),
    ask('GET /v1/contexts/a/b/c HTTP/1.1'),
  ]
  await expect.poll(async () => (await fetch(`${server.url}/metrics`)).text()).toContain('_under_way 1\n')
  await server.drain(2_500)
  for (const { status, body, headers, text } of await Promise.all(answers)) {
    expect(status, text).toBe(503)
    const id = headers['x-request-id'] ?? ''
    checkProblem(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1), 503, id, 'not_ready')
    expect(server.lines).toContainEqual(expect.objectContaining({ id, status: 503, code: 'not_ready' }))
  }
  expect((await server.store.graphs(undefined, { page: 0, pageSize: 10 })).items).toEqual([])
})
