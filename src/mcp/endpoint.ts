import { createMcpHandler } from '@modelcontextprotocol/server'
import { createClient } from '../client/index.js'
import type { ContractDocument } from '../contract/contract.js'
import { withoutNullArguments } from './check-arguments.js'
import { chosenGraph, oneGraph } from './choose-graph.js'
import type { McpEndpoint } from './exchange.js'
import { retrying } from './retry.js'
import { serverMaker } from './server.js'

/** MCP over HTTP, both eras, one request at a time: nothing is kept between two. */
export function mcpEndpoint(document: ContractDocument): McpEndpoint {
  const makeServer = serverMaker(document)
  return ({ request, message, graphId, scopes, isErasing, secret, fetch, failed }) => {
    const client = createClient({ baseUrl: 'http://loregraph.invalid', secret, fetch: retrying(fetch) })
    const mayWrite = scopes.includes('write')
    const asking = { client, ...(graphId === undefined ? chosenGraph(client) : oneGraph(graphId)) }
    const allowed = {
      record: mayWrite,
      erase: mayWrite && isErasing,
      choose: graphId === undefined,
    }
    const { fetch: handle } = createMcpHandler(() => makeServer(asking, allowed, failed), {
      onerror: () => {},
    })
    return handle(request, { parsedBody: withoutNullArguments(message) })
  }
}
