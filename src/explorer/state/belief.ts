import { useRef, useState } from 'preact/hooks'
import { inTurns } from './in-turns.js'
import { useLive } from './live.js'
import { type Loaded, useLoad } from './load.js'
import { answered } from './refusal.js'
import { useSession } from './session.js'
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

/** A context with what is believed there and how it came to be; `more` adds what is older. */
export function useBelief(
  graph: string,
  type: string,
  name: string,
): { loaded: Loaded<Belief>; more(): void } {
  const { client } = useSession()
  const { version } = useLive()
  const [wanted, setWanted] = useState(PAGE)
  const histories = useRef(new Map<string, MemoryHistory>())
  const path = { graph_id: graph, context_type: type, name }
  const historyOf = async (memory: Memory) => {
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
    async (): Promise<Belief> => {
      const query = { page_size: Math.min(wanted, 500) }
      const { memories, total, updated_at } = await answered(
        client.GET('/v1/contexts/{graph_id}/{context_type}/{name}', { params: { path, query } }),
      )
      const found = await inTurns(memories, historyOf)
      const timeline = timelineOf(memories, new Map(found.map((history) => [history.memory_id, history])))
      const because = new Map<string, StaleMemory['because']>()
      if (memories.some(({ status }) => status === 'stale'))
        for (const one of await staleOf(client, graph)) because.set(one.memory.memory_id, one.because)
      return { memories, total, updatedAt: updated_at, timeline, because }
    },
    version + wanted / PAGE,
  )
  return { loaded, more: () => setWanted(wanted + PAGE) }
}

async function staleOf(
  client: ReturnType<typeof useSession>['client'],
  graph: string,
): Promise<StaleMemory[]> {
  const { stale } = await answered(
    client.GET('/v1/graphs/{graph_id}/stale', {
      params: { path: { graph_id: graph }, query: { page_size: 500 } },
    }),
  )
  return stale
}
