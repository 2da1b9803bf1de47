import { createClient, type LoregraphClient } from '../../client/index.js'
import type { Environment } from '../../config/database.js'
import { loadContract } from '../../contract/load-contract.js'
import { retrying } from '../../mcp/retry.js'
import { serverMaker } from '../../mcp/server.js'
import { serveLines } from '../../mcp/stdio.js'
import { dataOf, Refused } from '../../mcp/tools/asking.js'
import type { Terminal } from '../output/terminal.js'
import { usage } from '../parse/args.js'
import { graphMistakes } from '../parse/check-operands.js'
import type { Values } from '../parse/options.js'
import { readSecretFile, readTarget } from '../target/target.js'
import { Deadlines } from './deadlines.js'

const DEFAULT_URL = 'http://127.0.0.1:7400'
/** Longer than any answer should take; without it a host would wait for ever. */
const TIMEOUT_MS = 30_000

interface Around {
  readonly env: Environment
  readonly terminal: Terminal
  /** Resolves when the process that started this one is gone. */
  readonly orphaned: Promise<void>
}

/** `loregraph mcp`: the tools over stdio, asked of the service at `--url`. */
export async function mcp(values: Values, { env, terminal, orphaned }: Around): Promise<void> {
  const [graph, ...others] = values.graph ?? []
  const mistakes = graph === undefined ? [] : graphMistakes(graph, '--graph')
  if (others.length > 0) mistakes.push('mcp takes one --graph: a connection is about one.')
  if (mistakes.length > 0) throw usage(mistakes, 'loregraph mcp --help')
  const url = values.url ?? env['LOREGRAPH_URL'] ?? DEFAULT_URL
  const target = await readTarget(env, { ...values, url }, readSecretFile)
  if (target.kind !== 'service') throw new Error('An address leads to a service.')
  const deadlines = new Deadlines(TIMEOUT_MS)
  const client = createClient({
    baseUrl: target.url,
    secret: target.secret,
    fetch: retrying((request) => {
      // The service is mostly on the same machine, where packing an answer takes longer than sending it.
      request.headers.set('Accept-Encoding', 'identity')
      return fetch(request, { signal: deadlines.begin() })
    }),
  })
  const failed = (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    terminal.stderr.write(`loregraph mcp: ${text}\n`)
  }
  const makeServer = serverMaker((await loadContract()).document)
  const asking = { client, graph: graph === undefined ? onlyGraph(client) : async () => graph }
  // A key does not say what it may do until it is used, so `record` is offered, and refused by the service if need be.
  const allowed = { record: true, erase: values['allow-erase'] ?? false }
  await serveLines(() => makeServer(asking, allowed, failed), { ...terminal, orphaned }, failed)
  deadlines.stop()
}

/** The only graph that the secret reaches, once it is known. */
function onlyGraph(client: LoregraphClient): () => Promise<string> {
  let known: string | undefined
  return async () => {
    if (known !== undefined) return known
    const { graphs, total } = await dataOf(
      client.GET('/v1/graphs', { params: { query: { page_size: MOST_NAMED } } }),
    )
    if (total === 1) known = graphs[0]?.graph_id
    if (known !== undefined) return known
    const names = graphs.map(({ graph_id }) => graph_id).join(', ')
    throw new Refused(
      `It is not said which graph to work in: whoever set this up must start "loregraph mcp" with --graph${names === '' ? '' : `, such as one of ${names}`}. Go on without it.`,
    )
  }
}

const MOST_NAMED = 10
