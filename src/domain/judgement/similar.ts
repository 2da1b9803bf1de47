import { isMemoryId } from '../ids.js'
import { cosine } from '../meaning/nearness.js'
import type { JsonObject, Link, Memory, MemoryId } from '../model.js'
import type { Knowledge } from '../search/knowledge.js'
import { queryTerms } from '../search/text-analysis.js'
import { textOf } from '../text.js'
import type { TextCache } from '../text-cache.js'
import { likenessTo, MAY_SPEAK_OF_THE_SAME, readPayload } from './judgement.js'
import { knownReading } from './reading/known-reading.js'

export interface Similar {
  readonly memory: Memory
  /** 0..1 */
  readonly likeness: number
}

/** How many memories are offered. */
const MAX_SIMILAR = 5
/** How many memories are compared, no more than a small recall would: by words and by meaning each, and of linked contexts. */
const CANDIDATES = 20
const OF_LINKED_CONTEXTS = 50

/**
 * The standing memories that may speak of the same thing as an event, without those in `except`: memories of contexts that the
 * event links to first, then the likest. `vector` is the event's embedding, if it has one.
 */
export function similarTo(
  graph: Knowledge,
  event: { readonly payload: JsonObject; readonly links: readonly Link[] },
  except: ReadonlySet<MemoryId>,
  { vector, texts }: { readonly vector: Int8Array | undefined; readonly texts: TextCache },
): Similar[] {
  const contextIds = event.links
    .map(({ target }) => target)
    .filter((target: string): boolean => !isMemoryId(target))
  const linked = contextIds.length === 0 ? [] : graph.latest({ types: [], contextIds }, OF_LINKED_CONTEXTS)
  const terms = queryTerms(textOf(event.payload))
  const { found } = graph.retrieve({ terms, limit: CANDIDATES })
  const near = vector === undefined ? [] : graph.nearest({ vector, limit: CANDIDATES })
  const candidates = new Map(
    [...linked, ...found.map(({ memory }) => memory), ...near].map((one) => [one.memoryId, one]),
  )
  const vectors = vector === undefined ? undefined : graph.vectors([...candidates.keys()])
  const likeness = likenessTo(readPayload(event.payload))
  const likenessOf = ({ memoryId, payload }: Memory) => {
    const other = vectors?.get(memoryId)
    return likeness(knownReading(JSON.stringify(payload), texts), vector && other && cosine(vector, other))
  }
  const isLinked = ({ memory }: Similar) => contextIds.includes(memory.contextId)
  return [...candidates.values()]
    .filter(({ memoryId, trust }) => !except.has(memoryId) && trust.status !== 'superseded')
    .map((memory) => ({ memory, likeness: likenessOf(memory) }))
    .filter((one) => one.likeness >= MAY_SPEAK_OF_THE_SAME)
    .sort(
      (a, b) =>
        Number(isLinked(b)) - Number(isLinked(a)) || b.likeness - a.likeness || a.memory.seq - b.memory.seq,
    )
    .slice(0, MAX_SIMILAR)
}
