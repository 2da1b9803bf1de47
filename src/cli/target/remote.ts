import { createHash } from 'node:crypto'
import { createClient, type LoregraphClient } from '../../client/index.js'
import type { PastEvent } from '../../domain/events/recording.js'
import { graphExists } from '../../domain/failure.js'
import { encodeExport } from '../../domain/transfer/encode.js'
import { DEMO_GRAPH, demoEvents, oneBatch } from '../../service/demo-graph.js'
import { exitOf, Stop } from '../output/exits.js'
import { type Api, allPages } from './api.js'
import { remoteSurvey } from './remote-survey.js'

/** The service that runs at `url`, over HTTP. */
export function remoteApi(url: string, secret: string): Api {
  const client = createClient({ baseUrl: url, secret })
  const ask = <T>(answer: Promise<Answer<T>>) => dataOf(url, answer)
  return {
    createKey: (body) => ask(client.POST('/v1/keys', { body })),
    keys: () =>
      allPages(async (page) => {
        const query = { page, page_size: 500 }
        const { keys, total } = await ask(client.GET('/v1/keys', { params: { query } }))
        return { items: keys, total }
      }),
    async revokeKey(key_id, with_descendants) {
      const params = { path: { key_id }, query: { ...(with_descendants && { with_descendants }) } }
      await answered(url, client.DELETE('/v1/keys/{key_id}', { params }))
    },
    insight: (body) => ask(client.POST('/v1/memories/insights', { body })),
    async memory(graph_id, memory_id) {
      const path = { graph_id, memory_id }
      const { data } = await client.GET('/v1/memories/{graph_id}/{memory_id}', { params: { path } })
      return data
    },
    ...remoteSurvey(client, ask),
    async exportGraph(graph_id, as_of) {
      const params = { path: { graph_id }, ...(as_of !== undefined && { query: { as_of } }) }
      const stream = await ask(client.GET('/v1/graphs/{graph_id}/events', { params, parseAs: 'stream' }))
      if (stream === null) throw new Stop('unavailable', `${url} answered with nothing.`)
      return whole(url, stream)
    },
    importGraph: (graphId, events) => send(client, url, graphId, events),
    async loadDemo() {
      const path = { graph_id: DEMO_GRAPH }
      const { response } = await reached(url, client.GET('/v1/contexts/{graph_id}', { params: { path } }))
      if (response.ok) return false
      await send(client, url, DEMO_GRAPH, oneBatch(demoEvents()))
      return true
    },
    async close() {},
  }
}

interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** An answer, whatever it says. */
async function reached<T>(url: string, asked: Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await asked
  } catch (error) {
    throw unreachable(url, error)
  }
}

/** An answer that says yes. */
async function answered<T>(url: string, asked: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await reached(url, asked)
  if (answer.response.ok) return answer
  const { error } = answer
  if (isProblem(error)) throw new Stop(exitOf(error.code), error.detail)
  throw new Stop(
    'unavailable',
    `${url} answered with status ${answer.response.status}, and not as Loregraph does.`,
  )
}

async function dataOf<T>(url: string, asked: Promise<Answer<T>>): Promise<T> {
  const { data } = await answered(url, asked)
  if (data === undefined) throw new Stop('unavailable', `${url} did not answer as Loregraph does.`)
  return data
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
  const path = { graph_id: graphId }
  // Asked first, because a service that refuses while it is still being sent to may not be heard.
  const known = await reached(url, client.GET('/v1/contexts/{graph_id}', { params: { path } }))
  if (known.response.ok) throw graphExists(graphId)
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
        params: { path },
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
