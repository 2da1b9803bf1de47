import { createHash } from 'node:crypto'
import { createClient, type Problem } from '../../client/index.js'
import type { PastEvent } from '../../domain/events/recording.js'
import { encodeExport } from '../../domain/transfer/encode.js'
import { Stop } from '../output/exits.js'
import { type Answer, type Api, operations, Refusal } from './api.js'
import type { Service } from './target.js'

export function remoteApi({ url, secret }: Service): Api {
  const client = createClient({ baseUrl: url, secret })
  client.use({
    onRequest({ params }) {
      for (const [name, value] of Object.entries(params.path ?? {}))
        if (['', '.', '..'].includes(String(value))) throw lostInAddress(name)
    },
  })
  const ask = async <T>(asked: Promise<Answer<T>>): Promise<T> => {
    const { data, error, response } = await asked.catch((failed: unknown) => {
      throw failed instanceof Stop ? failed : unreachable(url, failed)
    })
    if (isProblem(error)) throw new Refusal(error.code, error.detail, error.errors)
    // A boundary: what has no content is of a type that says so.
    if (data !== undefined || response.status === 204) return data as T
    const { status } = response
    throw new Stop('unavailable', `${url} answered with status ${status}, and not as Loregraph does.`)
  }
  const api = operations(client, ask)
  return {
    ...api,
    exportGraph: async (graphId, asOf) => whole(url, await api.exportGraph(graphId, asOf)),
    async importGraph(graph_id, events) {
      let wrong: unknown
      const lines = encoded(graph_id, events, (error) => {
        wrong = error
      })
      const sent = client.POST('/v1/graphs/{graph_id}/events', {
        params: { path: { graph_id } },
        // The contract has it as text; it is sent bit by bit.
        body: '',
        bodySerializer: () => ReadableStream.from(lines),
        duplex: 'half',
      })
      return ask(sent).catch((error: unknown) => {
        throw wrong ?? error
      })
    },
    async close() {},
  }
}

/** An address with such a step leads elsewhere. */
function lostInAddress(name: string): Refusal {
  const [path, message] = [`/path/${name}`, 'must not be empty, . or ..']
  return new Refusal('invalid_request', `${path} ${message}.`, [{ path, message }])
}

function isProblem(error: unknown): error is Pick<Problem, 'code' | 'detail' | 'errors'> {
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
