import type { LoregraphClient } from '../client/index.js'
import { quote } from '../domain/quote.js'
import { type Asking, dataOf, Refused, unlessRefused } from './tools/asking.js'

const MAX_NAMED = 10

type Graphs = Pick<Asking, 'graph' | 'graphs'>

export function oneGraph(graphId: string): Graphs {
  return {
    graphs: async () => [graphId],
    graph: async (named = graphId) => {
      if (named === graphId) return graphId
      throw new Refused(`This connection is about the graph ${graphId} alone.`, { status: 404 })
    },
  }
}

/**
 * The graphs of a connection that names none. A call names one that the key reaches and, if the key reaches all, one that
 * exists, so that a misspelt name begins no new graph. It need not where there is only one.
 */
export function chosenGraph(client: LoregraphClient): Graphs {
  const known = new Set<string>()
  const reached = async () => (await dataOf(client.GET('/v1/keys/self'))).graphs
  return {
    graphs: async () => (await reached()) ?? (await existing(client)).names,
    async graph(named) {
      if (named !== undefined && known.has(named)) return named
      const ofKey = await reached()
      const { names, total } = ofKey ? { names: ofKey, total: ofKey.length } : await existing(client)
      const chosen = named ?? (total === 1 ? names[0] : undefined)
      if (chosen === undefined) throw new Refused(refusal(undefined, names, total))
      const isThere = names.includes(chosen) || (ofKey === undefined && (await exists(client, chosen)))
      if (!isThere) throw new Refused(refusal(chosen, names, total), { status: 404 })
      known.add(chosen)
      return chosen
    },
  }
}

async function existing(client: LoregraphClient) {
  const params = { query: { page_size: MAX_NAMED } }
  const { graphs, total } = await dataOf(client.GET('/v1/graphs', { params }))
  return { names: graphs.map(({ graph_id }) => graph_id), total }
}

async function exists(client: LoregraphClient, graph_id: string): Promise<boolean> {
  const params = { path: { graph_id }, query: { page_size: 1 } }
  const asked = dataOf(client.GET('/v1/contexts/{graph_id}', { params }))
  return (await unlessRefused(asked, ({ status }) => status === 404 || status === 400)) !== undefined
}

function refusal(named: string | undefined, names: readonly string[], total: number): string {
  if (total === 0)
    return 'There is no graph yet, and this connection is not about one: whoever set it up must name it, in the address (/mcp/demo) or with --graph. Go on without it.'
  const more = total > MAX_NAMED ? ` and ${total - MAX_NAMED} more` : ''
  const list = `${names.slice(0, MAX_NAMED).join(', ')}${more}`
  return named === undefined
    ? `There are several graphs. Name the one of this project as graph, or ask the user which it is: ${list}.`
    : `There is no graph ${quote(named)} that this connection reaches. Name one of these as graph: ${list}.`
}
