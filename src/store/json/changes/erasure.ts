import { isMemoryId } from '../../../domain/ids.js'
import { type Erased, type Erasure, type MemoryId, MOST_ERASED_IDS } from '../../../domain/model.js'
import { createPace } from '../disk/yielding.js'
import type { Graph } from '../memory/graph.js'
import type { ContextRow, MemoryRow } from '../memory/rows.js'

/** What an erasure takes: as it is answered, and which memories. */
export interface Plan {
  readonly erased: Erased
  readonly ids: ReadonlySet<MemoryId>
}

/** Reckons in slices, without changing anything; the graph must not change meanwhile. */
export async function planErasure(graph: Graph, what: Erasure): Promise<Plan> {
  const going = goingFrom(graph, what)
  const ids = new Set(going.map(({ id }) => id))
  const left = new Set<ContextRow>()
  let relationships = 0
  const pace = createPace()
  for (const row of graph.memories.rows) {
    const goes = ids.has(row.id)
    if (!goes) left.add(row.context)
    for (const { target } of row.links) {
      if (goes || ids.has(target)) relationships++
      else if (!isMemoryId(target)) left.add(graph.contexts.get(target))
    }
    const turn = pace()
    if (turn !== undefined) await turn
  }
  return {
    ids,
    erased: {
      memories: going.length,
      memoryIds: going.slice(0, MOST_ERASED_IDS).map(({ id }) => id),
      relationships,
      contexts: graph.contexts.size - left.size,
    },
  }
}

function goingFrom(graph: Graph, what: Erasure): readonly MemoryRow[] {
  if ('memoryId' in what) return [graph.memories.get(what.memoryId)]
  return 'contextId' in what ? graph.contexts.get(what.contextId).memories : graph.memories.rows
}
