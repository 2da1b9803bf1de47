import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHandlers } from '../../src/contract/check-handlers.js'
import { MCP_PATHS, NON_CONTRACT_PATHS } from '../../src/http/pages/pages.js'
import { startTestServer, type TestServer } from '../support/server.js'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const concrete = (path: string) => path.replace(/\{\w+\}/g, 'x')

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('A11: every method and path of the contract is routed, and no other method of those paths is', async () => {
  for (const path of new Set(server.contract.operations.map((operation) => operation.path)))
    for (const method of METHODS) {
      const inContract = server.contract.operations.some((it) => it.path === path && it.method === method)
      const { status } = await server.fetch(concrete(path), { method })
      expect(status === 405, `${method} ${path}: ${status}`).toBe(!inContract)
    }
})

test('A11: what is served outside the contract is exactly the list in pages.ts', async () => {
  for (const path of [...NON_CONTRACT_PATHS, ...MCP_PATHS.map(concrete)])
    expect((await server.fetch(path, { method: 'PUT' })).status, path).toBe(405)
  for (const path of [
    '/v1',
    '/v1/',
    '/v2/contexts/demo',
    '/docs/',
    '/mcp/',
    '/mcp/a/b',
    '/Livez',
    '/favicon.ico',
  ])
    expect((await server.fetch(path)).status, path).toBe(404)
})

test('A11: the service does not start with a handler missing, one too many, or a stale table', () => {
  const handlers = Object.fromEntries(server.contract.operations.map(({ id }) => [id, () => {}]))
  expect(() => checkHandlers(server.contract, handlers)).not.toThrow()
  const { getMemory: _, ...fewer } = handlers
  expect(() => checkHandlers(server.contract, fewer)).toThrow('no handler for getMemory')
  expect(() => checkHandlers(server.contract, { ...handlers, extra: () => {} })).toThrow('no operation extra')
  const operations = server.contract.operations.slice(1)
  expect(() => checkHandlers({ ...server.contract, operations }, handlers)).toThrow('npm run generate')
})
