import { createClient } from '../../client/index.js'
import { loadContract } from '../../contract/load-contract.js'
import { chosenGraph, oneGraph } from '../../mcp/choose-graph.js'
import { retrying } from '../../mcp/retry.js'
import { serverMaker } from '../../mcp/server.js'
import { serveLines } from '../../mcp/stdio.js'
import type { BareJob } from '../commands/job.js'
import { EXITS, usage } from '../output/exits.js'
import { readService } from '../target/target.js'
import { graphMistakes } from './wiring.js'

/** Longer than any answer should take; without it a host would wait for ever. */
const TIMEOUT_MS = 30_000

/** `loregraph mcp`: the tools over stdio, asked of the service at `--url`. */
export async function mcp({ env, values, terminal, parentExited }: BareJob): Promise<number> {
  const [graph, ...others] = values.graph ?? []
  const mistakes = graph === undefined ? [] : graphMistakes(graph)
  if (others.length > 0) mistakes.push('mcp takes one --graph: a connection is about one.')
  if (mistakes.length > 0) throw usage(mistakes, 'mcp')
  const { url, secret } = await readService(env, values)
  const deadlines = deadlinesOf(TIMEOUT_MS)
  const client = createClient({
    baseUrl: url,
    secret,
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
  const asking = { client, ...(graph === undefined ? chosenGraph(client) : oneGraph(graph)) }
  // A key does not say what it may do until it is used, so `record` is offered, and refused by the service if need be.
  const allowed = { record: true, erase: values['allow-erase'] ?? false, choose: graph === undefined }
  await serveLines(
    () => makeServer(asking, allowed, failed),
    { ...terminal, parentExited: parentExited?.() ?? NEVER },
    failed,
  )
  deadlines.stop()
  return EXITS.fine.code
}

const NEVER = new Promise<void>(() => {})

/**
 * Signals that end what was begun: each at its deadline, and all of them when everything stops. `AbortSignal.any` with a
 * signal that lives as long as the process would keep two kilobytes of every request for ever.
 */
export function deadlinesOf(ms: number) {
  const underWay = new Set<AbortController>()
  const end = (one: AbortController, reason?: DOMException) => {
    underWay.delete(one)
    one.abort(reason)
  }
  return {
    underWay,
    begin(): AbortSignal {
      const own = new AbortController()
      underWay.add(own)
      setTimeout(() => end(own, new DOMException('It took too long.', 'TimeoutError')), ms).unref()
      return own.signal
    },
    stop(): void {
      for (const one of underWay) end(one)
    },
  }
}
