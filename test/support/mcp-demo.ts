import { afterAll, beforeAll } from 'vitest'
import { loadDemo } from '../../src/service/demo-graph.js'
import { type Host, overHttp } from './mcp.js'
import { startTestServer, type TestServer } from './server.js'

/** A service with the demo graph and a host that may erase in it, for the tests of a file; they are there once these begin. */
export function overDemo(): { readonly server: TestServer; readonly host: Host } {
  let [server, host]: [TestServer?, Host?] = []
  beforeAll(async () => {
    server = await startTestServer()
    await loadDemo(server.store)
    host = await overHttp(`${server.url}/mcp/demo?erase=true`, server.secret)
  })
  afterAll(async () => {
    await host?.close()
    await server?.stop()
  })
  const started = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The service is not there before the tests begin.')
    return one
  }
  return {
    get server() {
      return started(server)
    },
    get host() {
      return started(host)
    },
  }
}
