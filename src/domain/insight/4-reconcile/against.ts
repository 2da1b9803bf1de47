import type { Memory, MemoryId } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
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
  const known = new Map(evidence.map((item) => [item.memory.memoryId, item]))
  const all: Evidence[] = []
  const put = new Set<MemoryId>()
  const tell = (item: Evidence) => {
    const { memoryId } = item.memory
    if (put.has(memoryId)) return
    put.add(memoryId)
    const against = meant.by(records.get(memoryId) ?? [], item.memory)
    const tellRecord = (memory: Memory, relevance: number) => {
      const own = known.get(memory.memoryId)
      const { score, features, stands } = item
      const found: Evidence = own ?? {
        ...{ memory, foundBy: ['link'], score, features, stands, relevance, role: 'supports' },
      }
      tell({ ...found, role: 'supports', relevance: Math.max(found.relevance, relevance) })
    }
    for (const { record, likeness } of against)
      if (likeness >= IS_LIKELY_MEANT) tellRecord(record, item.relevance)
    const contestedBy = against.at(-1)?.record.memoryId
    all.push(contestedBy === undefined ? item : { ...item, role: 'superseded', contestedBy })
    for (const { record } of against) tellRecord(record, BEHIND * item.relevance)
  }
  for (const item of evidence) tell(item)
  return all
}
