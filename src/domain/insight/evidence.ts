import { cosine } from '../meaning/nearness.js'
import type { ContextId, Memory, MemoryId } from '../model.js'
import type { ClaimOnce, Knowledge } from '../search/knowledge.js'
import { rankOf } from '../trust/claims/rank.js'
import type { AskedTime } from './asked-time.js'
import { namesOf } from './claims.js'
import { maxBy } from './entry.js'
import type { Found } from './rank.js'
import { BEHIND, type Evidence, reconcile } from './reconcile.js'
import { eachOnce, withReplacements } from './replacements.js'
import { withStaleCauses } from './stale-causes.js'

/** Everything that an answer needs of a graph. */
export interface Gathered extends Found {
  readonly evidence: readonly Evidence[]
  readonly names: ReadonlyMap<ContextId, readonly string[]>
  /** Only for questions about the past. */
  readonly past?: Past | undefined
}

/** The material for answers about the past. */
export interface Past {
  readonly asked: AskedTime
  /** For each thing that was found, its values and their times, the earliest first. */
  readonly lines: readonly (readonly ClaimOnce[])[]
}

type Asked = Pick<Knowledge, 'latest' | 'lines' | 'memories' | 'recordsAgainst' | 'vectors'>

/** The most evidence of an answer. */
const MAX_EVIDENCE = 100
/** How many memories of the contexts of the evidence are considered, the latest ones. */
const MAX_SIBLINGS = 100
/** How many opponents of a memory are added: as many as lower its confidence. */
const MAX_SIDES = 3

/** For how many of the best memories earlier values are looked up. */
const MAX_LOOKED_UP = 12

/** The memories that fit best, at most `limit`, and, regardless of the limit, everything that speaks against them. */
export function evidenceOf(knowledge: Asked, found: Found, limit: number, time?: AskedTime): Gathered {
  const standing = withReplacements(knowledge, reconcile(found, limit))
  const whole = withStaleCauses(knowledge, withOtherSides(knowledge, standing))
  const contextIds = [...new Set(whole.map(({ memory }) => memory.contextId))]
  const siblings = contextIds.length === 0 ? [] : knowledge.latest({ types: [], contextIds }, MAX_SIBLINGS)
  const evidence = withRemarks(knowledge, whole, siblings)
  const names = namesOf([...siblings, ...whole.map(({ memory }) => memory)])
  const ids = whole.slice(0, MAX_LOOKED_UP).map(({ memory }) => memory.memoryId)
  const past = time && { asked: time, lines: ids.length === 0 ? [] : knowledge.lines(ids) }
  return { ...found, evidence: evidence.slice(0, MAX_EVIDENCE), names, past }
}

/** The evidence with the latest opponents of each memory behind it, if they are missing. */
function withOtherSides(
  knowledge: Pick<Knowledge, 'memories'>,
  evidence: readonly Evidence[],
): readonly Evidence[] {
  const known = new Set(evidence.map(({ memory }) => memory.memoryId))
  const missing = evidence.flatMap(({ memory }) => sidesMissing(memory, known))
  if (missing.length === 0) return evidence
  const found = new Map(knowledge.memories(missing).map((memory) => [memory.memoryId, memory]))
  return evidence.flatMap((item) => {
    const sides = sidesMissing(item.memory, known).flatMap((id) => found.get(id) ?? [])
    for (const { memoryId } of sides) known.add(memoryId)
    return [
      item,
      ...sides.map((memory): Evidence => ({ ...item, memory, foundBy: ['link'], role: 'contradicts' })),
    ]
  })
}

function sidesMissing({ trust }: Memory, known: ReadonlySet<MemoryId>): readonly MemoryId[] {
  return trust.disputedBy.slice(-MAX_SIDES).filter((id) => !known.has(id))
}

/** The evidence with the records against contexts of standing memories, each record behind the memory that it is nearest to. */
function withRemarks(
  knowledge: Pick<Knowledge, 'recordsAgainst' | 'vectors'>,
  evidence: readonly Evidence[],
  siblings: readonly Memory[],
): readonly Evidence[] {
  const standing = evidence.filter(({ stands }) => stands).map(({ memory }) => memory.memoryId)
  const asked = new Set([...standing, ...siblings.map(({ memoryId }) => memoryId)])
  const records = standing.length === 0 ? new Map() : knowledge.recordsAgainst([...asked])
  const all = standing.flatMap((id): readonly Memory[] => records.get(id) ?? [])
  if (all.length === 0) return evidence
  const mayBeMeant = (record: Memory) =>
    siblings.filter(({ memoryId }) =>
      records.get(memoryId)?.some((one: Memory) => one.memoryId === record.memoryId),
    )
  const ids = [...siblings, ...all].map(({ memoryId }) => memoryId)
  const vectors = knowledge.vectors([...new Set(ids)])
  const meant = new Map(
    all.map((record) => [record.memoryId, nearestTo(record, mayBeMeant(record), vectors)]),
  )
  return eachOnce(evidence, (item, { put, beside }) => {
    const remarks: readonly Memory[] = records.get(item.memory.memoryId) ?? []
    const own = remarks.filter(({ memoryId }) => meant.get(memoryId) === item.memory.memoryId)
    const isOutweighed = own.some(({ source }) => rankOf(source) >= rankOf(item.memory.source))
    put({
      ...item,
      remarks: remarks.map(({ memoryId }) => memoryId),
      contestedBy: own.map(({ memoryId }) => memoryId),
      ...(isOutweighed && { role: 'superseded' }),
    })
    for (const record of own) beside(record, BEHIND * item.relevance, { role: 'supports' })
  })
}

/** The memory that a record against its context is nearest to in meaning: an earlier one; without embeddings, the latest. */
function nearestTo(
  record: Memory,
  siblings: readonly Memory[],
  vectors: ReadonlyMap<MemoryId, Int8Array>,
): MemoryId | undefined {
  const own = vectors.get(record.memoryId)
  const against = new Set(
    record.links.filter(({ kind }) => kind === 'contradiction').map(({ target }) => target),
  )
  const earlier = siblings.filter(
    ({ contextId, seq, trust }) =>
      against.has(contextId) && seq < record.seq && trust.status !== 'superseded',
  )
  return maxBy(earlier, ({ memoryId }) => {
    const other = vectors.get(memoryId)
    return own && other ? cosine(own, other) : -1
  })?.memoryId
}
