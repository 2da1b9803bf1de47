import type { LoregraphClient } from '../../client/index.js'
import { answered, toRefusal } from './refusal.js'
import { type Message, serverSent } from './server-sent.js'

export type Connection = 'connecting' | 'live' | 'lost' | 'ended'

/** A statement that was recorded while the page was open. */
export interface News {
  readonly place: number
  readonly memoryId: string
  readonly contextId: string
  readonly source: string
  readonly at: string
}

interface Follower {
  connection(now: Connection): void
  /** Something was recorded or erased, or may have been while nobody listened. */
  changed(news?: News): void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000
/** The service says something every 15 seconds. */
const SILENCE_MS = 40_000

/** Follows a graph from now on, through every loss of the connection, until the signal says stop. */
export async function followGraph(
  client: LoregraphClient,
  graphId: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const path = { graph_id: graphId }
  let after: number | undefined
  let pause = FIRST_PAUSE_MS
  while (!signal.aborted) {
    const silence = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
    try {
      const isFirst = after === undefined
      after ??= (await answered(client.GET('/v1/graphs/{graph_id}', { params: { path }, signal }))).place
      // Before anything is heard, too: a proxy may send a head and nothing else.
      heard()
      const stream = await answered<unknown>(
        client.GET('/v1/graphs/{graph_id}/feed', {
          params: { path, query: { after } },
          parseAs: 'stream',
          signal: AbortSignal.any([signal, silence.signal]),
        }),
      )
      follower.connection('live')
      if (!isFirst) follower.changed()
      pause = FIRST_PAUSE_MS
      // A boundary: the client's types know the text of a feed, not that it comes as a stream.
      for await (const message of serverSent(stream as ReadableStream<Uint8Array>)) {
        heard()
        if (message.id !== undefined) after = Number(message.id)
        if (message.data !== '') follower.changed(newsOf(message))
      }
    } catch (reason) {
      if (signal.aborted) return
      const { status, code } = toRefusal(reason)
      if (status === 401 || status === 403 || status === 404) return follower.connection('ended')
      // The graph was deleted and made anew.
      if (code === 'unknown_place') after = undefined
    } finally {
      clearTimeout(timer)
    }
    if (signal.aborted) return
    follower.connection('lost')
    await new Promise((resolve) => setTimeout(resolve, pause))
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

function newsOf({ event, data }: Message): News | undefined {
  if (event !== 'statement') return undefined
  const { place, memory_id, context_id, source, recorded_at } = JSON.parse(data)
  return { place, memoryId: memory_id, contextId: context_id, source, at: recorded_at }
}
