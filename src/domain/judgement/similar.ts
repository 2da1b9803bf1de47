import { isMemoryId } from '../ids.js'
import type { Lexicon } from '../lexicon/lexicon.js'
import type { JsonObject, Link, Memory, MemoryId } from '../model.js'
import type { Knowledge } from '../search/knowledge.js'
import { queryTerms } from '../search/text-analysis.js'
import { textOf } from '../text.js'
import { likenessTo, MAY_SPEAK_OF_THE_SAME, readPayload } from './judgement.js'

export interface Similar {
  readonly memory: Memory
  /** 0..1 */
  readonly likeness: number
}

/** How many memories are offered, and how many are looked at: no more than a recall of a few would. */
const MOST_SIMILAR = 5
const CANDIDATES = 20
const OF_LINKED_CONTEXTS = 50

/**
 * The standing memories that may speak of the same thing as an event and that it does not bear on: those of contexts that
 * it links to first, then the likest.
 */
export async function similarTo(
  graph: Knowledge,
  lexicon: Lexicon,
  event: { readonly payload: JsonObject; readonly links: readonly Link[] },
  except: ReadonlySet<MemoryId>,
  /** The meaning of the event (meaning/memory-text.ts); undefined if it was not read. */
  _vector?: Int8Array,
): Promise<Similar[]> {
  const contextIds = event.links
    .map(({ target }) => target)
    .filter((target: string): boolean => !isMemoryId(target))
  const linked =
    contextIds.length === 0 ? [] : await graph.latest({ types: [], contextIds }, OF_LINKED_CONTEXTS)
  const terms = queryTerms(textOf(event.payload))
  const { found } = await graph.retrieve({ terms, limit: CANDIDATES })
  const candidates = new Map(
    [...linked, ...found.map(({ memory }) => memory)].map((one) => [one.memoryId, one]),
  )
  const likeness = likenessTo(readPayload(event.payload), lexicon)
  const isLinked = ({ memory }: Similar) => contextIds.includes(memory.contextId)
  return [...candidates.values()]
    .filter(({ memoryId, trust }) => !except.has(memoryId) && trust.status !== 'superseded')
    .map((memory) => ({ memory, likeness: likeness(readPayload(memory.payload)) }))
    .filter((one) => one.likeness >= MAY_SPEAK_OF_THE_SAME)
    .sort(
      (a, b) =>
        Number(isLinked(b)) - Number(isLinked(a)) || b.likeness - a.likeness || a.memory.seq - b.memory.seq,
    )
    .slice(0, MOST_SIMILAR)
}
