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
 * current; nor is such a record that is evidence itself, if a later one may mean it in turn.
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
  const all: Evidence[] = []
  const put = new Set<MemoryId>()
  const tell = (item: Evidence) => {
    const { memoryId } = item.memory
    if (put.has(memoryId)) return
    put.add(memoryId)
    const meant = meaning(item.memory, records.get(memoryId) ?? [], vectors)
    const tellRecord = (memory: Memory, relevance: number) => {
      const own = known.get(memory.memoryId)
      const foundBy = own?.foundBy ?? ['link']
      tell({
        ...item,
        ...{ memory, foundBy, role: 'supports', relevance: Math.max(own?.relevance ?? 0, relevance) },
      })
    }
    for (const { record, likeness } of meant)
      if (likeness >= IS_LIKELY_MEANT) tellRecord(record, item.relevance)
    all.push(meant.length === 0 ? item : { ...item, role: 'superseded', contested: true })
    for (const { record } of meant) tellRecord(record, BEHIND * item.relevance)
  }
  for (const item of evidence) tell(item)
  return all
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
