import { likenessTo, readPayload } from '../../judgement/judgement.js'
import type { Lexicon } from '../../lexicon/lexicon.js'
import type { Memory } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
import type { Evidence } from './reconcile.js'

/** From here on a record against a context may be about a memory of it. */
const MAY_BE_MEANT = 0.15

/**
 * For each memory of the evidence that stands, the later records that contradict something in its context without
 * saying what, and that may mean it.
 */
export async function recordsAgainst(
  knowledge: Knowledge,
  lexicon: Lexicon,
  evidence: readonly Evidence[],
): Promise<ReadonlyMap<Memory, readonly Memory[]>> {
  const standing = evidence.filter(({ stands }) => stands).map(({ memory }) => memory)
  if (standing.length === 0) return new Map()
  const records = await knowledge.recordsAgainst(standing.map(({ memoryId }) => memoryId))
  const found = new Map<Memory, readonly Memory[]>()
  for (const memory of standing) {
    const against = records.get(memory.memoryId) ?? []
    if (against.length === 0) continue
    const likeness = likenessTo(readPayload(memory.payload), lexicon)
    const meant = against.filter((record) => likeness(readPayload(record.payload)) >= MAY_BE_MEANT)
    if (meant.length > 0) found.set(memory, meant)
  }
  return found
}
