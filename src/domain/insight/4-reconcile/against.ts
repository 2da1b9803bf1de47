import { agrees, likenessTo, readPayload } from '../../judgement/judgement.js'
import { cosine } from '../../meaning/nearness.js'
import type { Memory, MemoryId } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
import type { Evidence } from './reconcile.js'

/** From here on a record against a context may be about a memory of it. */
const MAY_BE_MEANT = 0.12
/** A record this like the memory is told before it. */
const IS_LIKELY_MEANT = 0.6
/** Otherwise it is told behind the memory, which stays the answer. */
const BEHIND = 0.99

/**
 * The evidence with the later records that contradict something in the context of a memory without saying what, and may
 * mean it: each before the memory if it likely does, else behind it. The memory is no longer passed off as
 * current.
 */
export async function withRecordsAgainst(
  knowledge: Pick<Knowledge, 'recordsAgainst' | 'vectors'>,
  evidence: readonly Evidence[],
): Promise<readonly Evidence[]> {
  const standing = evidence.filter(({ stands }) => stands).map(({ memory }) => memory.memoryId)
  if (standing.length === 0) return evidence
  const records = await knowledge.recordsAgainst(standing)
  if (records.size === 0) return evidence
  const ids = [...standing, ...[...records.values()].flat().map(({ memoryId }) => memoryId)]
  const vectors = await knowledge.vectors([...new Set(ids)])
  const known = new Map(evidence.map((item) => [item.memory.memoryId, item]))
  const all = new Set<Evidence>()
  const put = new Set<string>()
  for (const item of evidence) {
    const meant = meaning(item.memory, records.get(item.memory.memoryId) ?? [], vectors)
    const own = (record: Memory) => known.get(record.memoryId)?.relevance ?? 0
    const tell = (record: Memory, relevance: number) => {
      if (put.size < put.add(record.memoryId).size)
        all.add({
          ...item,
          memory: record,
          foundBy: known.get(record.memoryId)?.foundBy ?? ['link'],
          role: 'supports',
          relevance: Math.max(own(record), relevance),
        })
    }
    for (const { record, likeness } of meant) if (likeness >= IS_LIKELY_MEANT) tell(record, item.relevance)
    if (put.size < put.add(item.memory.memoryId).size)
      all.add(meant.length === 0 ? item : { ...item, role: 'superseded', contested: true })
    for (const { record } of meant) tell(record, BEHIND * item.relevance)
  }
  return [...all]
}

interface Meant {
  readonly record: Memory
  readonly likeness: number
}

function meaning(
  memory: Memory,
  records: readonly Memory[],
  vectors: ReadonlyMap<MemoryId, Int8Array>,
): readonly Meant[] {
  if (records.length === 0) return []
  const told = readPayload(memory.payload)
  const likenessOf = likenessTo(told)
  const own = vectors.get(memory.memoryId)
  return records.flatMap((record) => {
    const reading = readPayload(record.payload)
    const other = vectors.get(record.memoryId)
    const likeness = likenessOf(reading, own && other ? cosine(own, other) : undefined)
    // What surely agrees with a memory does not contradict it.
    return likeness >= MAY_BE_MEANT && !agrees(told, reading) ? [{ record, likeness }] : []
  })
}
