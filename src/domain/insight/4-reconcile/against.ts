import { agrees, likenessTo, readPayload } from '../../judgement/judgement.js'
import type { Lexicon } from '../../lexicon/lexicon.js'
import type { Memory } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
import type { Evidence } from './reconcile.js'

/** From here on a record against a context may be about a memory of it. */
const MAY_BE_MEANT = 0.12

/**
 * The evidence with the later records that contradict something in the context of a memory without saying what, and may
 * mean it: each stands before the memory, which is no longer passed off as current.
 */
export async function withRecordsAgainst(
  knowledge: Pick<Knowledge, 'recordsAgainst'>,
  lexicon: Lexicon,
  evidence: readonly Evidence[],
): Promise<readonly Evidence[]> {
  const standing = evidence.filter(({ stands }) => stands).map(({ memory }) => memory.memoryId)
  if (standing.length === 0) return evidence
  const records = await knowledge.recordsAgainst(standing)
  if (records.size === 0) return evidence
  const known = new Map(evidence.map((item) => [item.memory.memoryId, item]))
  const all = new Set<Evidence>()
  const put = new Set<string>()
  for (const item of evidence) {
    const meant = meaning(item.memory, records.get(item.memory.memoryId) ?? [], lexicon)
    for (const record of meant) {
      if (put.size === put.add(record.memoryId).size) continue
      const { relevance = 0 } = known.get(record.memoryId) ?? {}
      all.add({ ...item, memory: record, role: 'supports', relevance: Math.max(relevance, item.relevance) })
    }
    if (put.size === put.add(item.memory.memoryId).size) continue
    all.add(meant.length === 0 ? item : { ...item, role: 'superseded', contested: true })
  }
  return [...all]
}

function meaning(memory: Memory, records: readonly Memory[], lexicon: Lexicon): readonly Memory[] {
  if (records.length === 0) return records
  const told = readPayload(memory.payload)
  const likeness = likenessTo(told, lexicon)
  return records.filter(({ payload }) => {
    const record = readPayload(payload)
    // What surely agrees with a memory does not contradict it.
    return likeness(record) >= MAY_BE_MEANT && !agrees(told, record)
  })
}
