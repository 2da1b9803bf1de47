import type { Memory } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
import { rankOf } from '../../trust/claims/rank.js'
import { type Ranked, relevanceOf } from '../3-rank/rank.js'
import { eachOnce } from './each-once.js'
import { IS_LIKELY_MEANT, Meant } from './meant.js'
import { BEHIND, type Evidence } from './reconcile.js'

/** Of how many memories of the contexts this is asked, the latest ones. */
const LOOKED_AT = 50

/** The latest record that means a memory most, and is at least this relevant beside it, answers the question itself. */
const ANSWERS = 0.2

/**
 * The evidence with the later records that contradict something in the context of a memory without saying what, and may
 * mean it: each before the memory if it likely does or answers the question itself, else behind it, and always if it is an
 * exception. The memory is no longer passed off as current; nor is such a record that is evidence itself, if a later one
 * may mean it in turn.
 */
export async function withRecordsAgainst(
  knowledge: Pick<Knowledge, 'latest' | 'recordsAgainst' | 'vectors'>,
  evidence: readonly Evidence[],
  ranked: readonly Ranked[],
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
  const relevance = relevanceIn(ranked)
  const answers = (record: Memory, item: Evidence) =>
    rankOf(record.source) >= rankOf(item.memory.source) &&
    relevance(record) >= ANSWERS * item.relevance &&
    meant.isMostLike(record, item.memory)
  return eachOnce(evidence, (item, { put, beside }) => {
    const against = meant.by(records.get(item.memory.memoryId) ?? [], item.memory)
    const latest = against.at(-1)
    for (const one of against.filter(({ record }) => !meant.isException(record, item.memory)))
      if (one.likeness >= IS_LIKELY_MEANT || (one === latest && answers(one.record, item)))
        beside(one.record, item.relevance, { role: 'supports' })
    const contestedBy = latest?.record.memoryId
    put(contestedBy === undefined ? item : { ...item, role: 'superseded', contestedBy })
    for (const { record } of against) beside(record, BEHIND * item.relevance, { role: 'supports' })
  })
}

/** How relevant a memory is that was found by what it says; 0 for any other. */
function relevanceIn(ranked: readonly Ranked[]): (memory: Memory) => number {
  const [best] = ranked
  const found = ranked.filter(
    ({ score, foundBy }) => score > 0 && (foundBy.includes('words') || foundBy.includes('meaning')),
  )
  return ({ memoryId }) => {
    const item = found.find(({ memory }) => memory.memoryId === memoryId)
    return item === undefined || best === undefined ? 0 : relevanceOf(item, best)
  }
}
