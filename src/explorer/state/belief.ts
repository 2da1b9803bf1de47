import { useRef, useState } from 'preact/hooks'
import type { LoregraphClient } from '../../client/index.js'
import { useLive } from './live.js'
import { inTurns, type Loaded, useLoad } from './load.js'
import { answered } from './refusal.js'
import { type Timeline, timelineOf } from './timeline.js'
import type { Memory, MemoryHistory, StaleMemory } from './types.js'

export interface Belief {
  readonly memories: readonly Memory[]
  readonly total: number
  readonly updatedAt: string
  readonly timeline: Timeline
  /** Why memories here are stale. */
  readonly because: ReadonlyMap<string, StaleMemory['because']>
}

const PAGE = 40
const MAX_STALE_PAGES = 10

/** A context with what is believed there and how it came to be; `more` adds what is older. */
export function useBelief(
  graph: string,
  type: string,
  name: string,
): { loaded: Loaded<Belief>; more(): void } {
  const { version } = useLive()
  const [wanted, setWanted] = useState(PAGE)
  const histories = useRef(new Map<string, MemoryHistory>())
  const path = { graph_id: graph, context_type: type, name }
  const historyOf = async (client: LoregraphClient, memory: Memory) => {
    // A history changes only when its memory does.
    const key = JSON.stringify(memory)
    const history =
      histories.current.get(key) ??
      (await answered(
        client.GET('/v1/memories/{graph_id}/{memory_id}/history', {
          params: { path: { graph_id: graph, memory_id: memory.memory_id }, query: { page_size: 500 } },
        }),
      ))
    histories.current.set(key, history)
    return history
  }
  const loaded = useLoad(
    `context ${graph} ${type} ${name}`,
    async (client): Promise<Belief> => {
      const query = { page_size: Math.min(wanted, 500) }
      const { memories, total, updated_at } = await answered(
        client.GET('/v1/contexts/{graph_id}/{context_type}/{name}', { params: { path, query } }),
      )
      const found = await inTurns(memories, (memory) => historyOf(client, memory))
      const timeline = timelineOf(memories, new Map(found.map((history) => [history.memory_id, history])))
      const because = new Map<string, StaleMemory['because']>()
      if (memories.some(({ status }) => status === 'stale'))
        for (const one of await staleOf(client, graph, memories))
          because.set(one.memory.memory_id, one.because)
      return { memories, total, updatedAt: updated_at, timeline, because }
    },
    version + wanted / PAGE,
  )
  return { loaded, more: () => setWanted(wanted + PAGE) }
}

/** Why the stale ones among some memories are stale; of a graph with many, as far as the first pages say. */
async function staleOf(
  client: LoregraphClient,
  graph: string,
  memories: readonly Memory[],
): Promise<StaleMemory[]> {
  const missing = new Set(memories.flatMap(({ status, memory_id }) => (status === 'stale' ? memory_id : [])))
  const found: StaleMemory[] = []
  for (let page = 0; page < MAX_STALE_PAGES && missing.size > 0; page++) {
    const { stale, total } = await answered(
      client.GET('/v1/graphs/{graph_id}/stale', {
        params: { path: { graph_id: graph }, query: { page, page_size: 500 } },
      }),
    )
    for (const one of stale) if (missing.delete(one.memory.memory_id)) found.push(one)
    if ((page + 1) * 500 >= total) break
  }
  return found
}
