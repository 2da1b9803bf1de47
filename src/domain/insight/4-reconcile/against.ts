import type { Knowledge } from '../../search/knowledge.js'
import { eachOnce } from './each-once.js'
import { IS_LIKELY_MEANT, Meant } from './meant.js'
import { BEHIND, type Evidence } from './reconcile.js'

/** Of how many memories of the contexts this is asked, the latest ones. */
const LOOKED_AT = 50

/**
 * The evidence with the later records that contradict something in the context of a memory without saying what, and may
 * mean it: each before the memory if it likely does, else behind it. The memory is no longer passed off as
 * current; nor is such a record that is evidence itself, if a later one may mean it in turn.
 */
export async function withRecordsAgainst(
  knowledge: Pick<Knowledge, 'latest' | 'recordsAgainst' | 'vectors'>,
  evidence: readonly Evidence[],
): Promise<readonly Evidence[]> {
  const standing = evidence.filter(({ stands }) => stands).map(({ memory }) => memory.memoryId)
  if (standing.length === 0) return evidence
  const records = await knowledge.recordsAgainst(standing)
  if (records.size === 0) return evidence
  const contextIds = evidence
    .filter(({ memory }) => records.has(memory.memoryId))
    .map(({ memory }) => memory.contextId)
  const others = await knowledge.latest({ types: [], contextIds: [...new Set(contextIds)] }, LOOKED_AT)
  const near = [...others, ...[...records.values()].flat()].map(({ memoryId }) => memoryId)
  const meant = new Meant(others, await knowledge.vectors([...new Set([...standing, ...near])]))
  return eachOnce(evidence, (item, { put, beside }) => {
    const against = meant.by(records.get(item.memory.memoryId) ?? [], item.memory)
    for (const { record, likeness } of against)
      if (likeness >= IS_LIKELY_MEANT) beside(record, item.relevance, { role: 'supports' })
    const contestedBy = against.at(-1)?.record.memoryId
    put(contestedBy === undefined ? item : { ...item, role: 'superseded', contestedBy })
    for (const { record } of against) beside(record, BEHIND * item.relevance, { role: 'supports' })
  })
}
