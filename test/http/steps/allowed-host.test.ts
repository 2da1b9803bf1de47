import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkProblem } from '../../support/problem.js'
import { raw } from '../../support/raw.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const servers: Record<string, TestServer> = {}
beforeAll(async () => {
  servers['loopback'] = await startTestServer({ allowedHosts: [] })
  servers['named'] = await startTestServer({ allowedHosts: ['lore.example', '192.0.2.7', '2001:db8::1'] })
  servers['open'] = await startTestServer()
})
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())))

async function ask(name: string, host: string, target = '/metrics', method = 'GET') {
  const { port, secret } = servers[name] as TestServer
  const authorization = target.startsWith('/v1') ? `Authorization: Bearer ${secret}\r\n` : ''
  return raw(port, `${method} ${target} HTTP/1.1\r\n${host}${authorization}Connection: close\r\n\r\n`)
}

const status = async (...what: Parameters<typeof ask>) => (await ask(...what)).status

describe('421: a name that is not the service’s own', () => {
  test.each(['/livez', '/readyz', '/metrics', '/docs', '/openapi.yaml', '/v1/graphs', '/nowhere'])(
    '%s',
    async (target) => {
      const { status, body, headers } = await ask('loopback', 'Host: evil.example\r\n', target)
      expect(status).toBe(421)
      const { detail } = checkProblem(body, 421, headers['x-request-id'] ?? '', 'misdirected_request')
      expect(detail).toContain('LOREGRAPH_ALLOWED_HOSTS')
    },
  )

  test.each([
    'evil.example:7400',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.evil.example',
    'localhost@evil.example',
    'evil.example/localhost',
    '[::1].evil.example',
    '[::1',
    '0.0.0.0',
    '192.168.0.1',
    '',
  ])('Host: %s', async (host) => {
    expect(await status('loopback', `Host: ${host}\r\n`)).toBe(421)
    expect(await status('named', `Host: ${host}\r\n`)).toBe(421)
  })

  test('every method, and a target with a host of its own', async () => {
    expect(await status('loopback', 'Host: evil.example\r\n', '/v1/graphs', 'OPTIONS')).toBe(421)
    expect(await status('loopback', 'Host: evil.example\r\n', '*', 'OPTIONS')).toBe(421)
    expect(await status('loopback', 'Host: localhost\r\n', 'http://evil.example/metrics')).toBe(421)
    expect(await status('loopback', 'Host: localhost\r\n', 'http://localhost:1/metrics')).toBe(200)
  })
})

describe('answered', () => {
  test.each([
    'localhost',
    'LOCALHOST:7400',
    'localhost.',
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]',
    '[::1]:7400',
  ])('a loopback name or address: %s', async (host) => {
    expect(await status('loopback', `Host: ${host}\r\n`)).toBe(200)
    expect(await status('named', `Host: ${host}\r\n`)).toBe(200)
  })

  test.each(['lore.example', 'Lore.Example:8443', '192.0.2.7', '[2001:db8::1]:80'])(
    'a name that is set: %s',
    async (host) => {
      expect(await status('named', `Host: ${host}\r\n`, '/v1/graphs')).toBe(200)
      expect(await status('loopback', `Host: ${host}\r\n`, '/v1/graphs')).toBe(421)
    },
  )

  test('any name when none is set', async () => {
    expect(await status('open', 'Host: evil.example\r\n')).toBe(200)
  })

  test('no Host is a matter of HTTP: 400', async () => {
    expect(await status('loopback', '')).toBe(400)
    expect(await status('loopback', 'Host: localhost\r\nHost: evil.example\r\n')).toBe(400)
  })
})
