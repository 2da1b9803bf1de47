import { createHash } from 'node:crypto'
import { createClient, type LoregraphClient } from '../../client/index.js'
import type { PastEvent } from '../../domain/events/recording.js'
import { graphExists } from '../../domain/failure.js'
import { encodeExport } from '../../domain/transfer/encode.js'
import { DEMO_GRAPH, demoEvents, oneBatch } from '../../service/demo-graph.js'
import { exitOf, Stop } from '../output/exits.js'
import { type Answer, type Api, operations } from './api.js'

/** The service that runs at `url`, over HTTP. */
export function remoteApi(url: string, secret: string): Api {
  const client = createClient({ baseUrl: url, secret })
  const api = operations(client, (asked) => dataOf(url, asked))
  return {
    ...api,
    exportGraph: async (graphId, asOf) => whole(url, await api.exportGraph(graphId, asOf)),
    importGraph: (graphId, events) => send(client, url, graphId, events),
    async loadDemo() {
      if (await hasGraph(client, url, DEMO_GRAPH)) return false
      await send(client, url, DEMO_GRAPH, oneBatch(demoEvents()))
      return true
    },
    async close() {},
  }
}

/** An answer, whatever it says. */
async function reached<T>(url: string, asked: Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await asked
  } catch (error) {
    throw unreachable(url, error)
  }
}

async function hasGraph(client: LoregraphClient, url: string, graphId: string): Promise<boolean> {
  const params = { path: { graph_id: graphId } }
  return (await reached(url, client.GET('/v1/contexts/{graph_id}', { params }))).response.ok
}

/** What was asked for, by an answer that says yes. */
async function dataOf<T>(url: string, asked: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await reached(url, asked)
  if (isProblem(error)) throw new Stop(exitOf(error.code), error.detail)
  // A boundary: what has no content is of a type that says so.
  if (data !== undefined || response.status === 204) return data as T
  throw new Stop('unavailable', `${url} answered with status ${response.status}, and not as Loregraph does.`)
}

function isProblem(error: unknown): error is { code: string; detail: string } {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error
}

function unreachable(url: string, error: unknown): Stop {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
  return new Stop('unavailable', `${url} cannot be reached${code}. Is the service running there?`, {
    cause: error,
  })
}

async function* whole(url: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw new Stop('unavailable', `The export broke off: ${url} went away.`, { cause: error })
  }
}

async function send(
  client: LoregraphClient,
  url: string,
  graphId: string,
  events: AsyncIterable<readonly PastEvent[]>,
) {
  // Asked first, because a service that refuses while it is still being sent to may not be heard.
  if (await hasGraph(client, url, graphId)) throw graphExists(graphId)
  let wrong: unknown
  const body = ReadableStream.from(
    encoded(graphId, events, (error) => {
      wrong = error
    }),
  )
  try {
    return await dataOf(
      url,
      client.POST('/v1/graphs/{graph_id}/events', {
        params: { path: { graph_id: graphId } },
        // The contract has it as text; it is sent bit by bit.
        body: '',
        bodySerializer: () => body,
        duplex: 'half',
      }),
    )
  } catch (error) {
    throw wrong ?? error
  }
}

/** An error of the events is kept, since `fetch` would reject with an error of its own. */
async function* encoded(
  graphId: string,
  events: AsyncIterable<readonly PastEvent[]>,
  keep: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  try {
    // An import does not read the time of the export.
    const graph = { graphId, exportedAt: new Date(0).toISOString(), events }
    for await (const text of encodeExport(graph, createHash('sha256'))) yield utf8.encode(text)
  } catch (error) {
    keep(error)
    throw error
  }
}
