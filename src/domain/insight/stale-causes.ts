import { isMemoryId } from '../ids.js'
import { readPayload, sameThing } from '../judgement/judgement.js'
import type { Link, Memory, MemoryId } from '../model.js'
import type { Knowledge } from '../search/knowledge.js'
import { folded } from '../trust/fields.js'
import { maxBy } from './entry.js'
import { BEHIND, type Evidence } from './reconcile.js'
import { eachOnce, standingFor } from './replacements.js'

/** Causes are looked up for at most this many stale memories, the most relevant ones. */
const MAX_STALE = 5
/** How many memories may lie between a stale one and what was replaced. */
const MAX_DEPTH = 3
/** At most this many memories are looked at on each level, the latest ones of contexts. */
const MAX_BASES = 50
/** Longer texts are skipped, because comparing them is slow. */
const MAX_COMPARED = 1_000

type Asked = Pick<Knowledge, 'latest' | 'memories'>

/**
 * Adds, after each stale memory, the memory that replaced what it builds on, whatever the limit or the filter left out: that
 * something was replaced is half of an answer.
 */
export function withStaleCauses(knowledge: Asked, evidence: readonly Evidence[]): readonly Evidence[] {
  const causes = new Map<MemoryId, Memory>()
  const stale = evidence.filter(({ stands, memory }) => stands && memory.trust.status === 'stale')
  for (const { memory } of stale.slice(0, MAX_STALE)) {
    const cause = causeOf(memory, knowledge)
    if (cause !== undefined) causes.set(memory.memoryId, cause)
  }
  if (causes.size === 0) return evidence
  return eachOnce(evidence, (item, { put, beside }) => {
    const cause = causes.get(item.memory.memoryId)
    put(cause === undefined ? item : { ...item, staleBecause: cause.memoryId })
    if (cause !== undefined) beside(cause, BEHIND * item.relevance)
  })
}

/** The latest memory that stands in the place of something that a stale memory builds on. */
function causeOf(memory: Memory, knowledge: Asked): Memory | undefined {
  const visited = new Map([[memory.memoryId, memory]])
  let builders: readonly Memory[] = [memory]
  let before: Memory | undefined
  for (let depth = 0; builders.length > 0 && depth <= MAX_DEPTH; depth++) {
    const bases = basesOf(builders, knowledge).filter(({ memoryId }) => !visited.has(memoryId))
    for (const base of bases) visited.set(base.memoryId, base)
    const replacing: Memory[] = []
    for (const base of bases.filter(({ trust }) => trust.status === 'superseded'))
      replacing.push(...standingFor(base, visited, knowledge))
    const replacedFields = bases.flatMap((base) => replacedUnder(builders, base))
    if (replacedFields.length > 0) replacing.push(...knowledge.memories(replacedFields))
    const latest = maxBy(replacing, ({ seq }) => seq)
    if (latest !== undefined && latest.seq > memory.seq) return latest
    before ??= latest
    builders = bases.filter(({ trust }) => trust.status === 'stale')
  }
  // The replacement was recorded before this memory, which repeats what it builds on.
  return before
}

/** What replaced the fields of a memory that others build on. */
function replacedUnder(builders: readonly Memory[], { memoryId, trust }: Memory): readonly MemoryId[] {
  const links = builders.flatMap((builder) => builder.links.filter(isBuilding))
  const fields = links.flatMap(({ target, field = '' }) => (target === memoryId ? folded(field) : []))
  return trust.replaced?.filter(({ field }) => fields.includes(folded(field))).map(({ by }) => by) ?? []
}

function isBuilding({ kind }: Link): boolean {
  return kind === 'extension' || kind === 'reinforcement'
}

/**
 * The memories that these build on: those named by id; of a named context, those about the same thing, or all of them if the
 * context is extended as a whole and all of it was replaced.
 */
function basesOf(builders: readonly Memory[], knowledge: Asked): readonly Memory[] {
  const links = builders.flatMap((builder) =>
    builder.links.filter(isBuilding).map(({ kind, target }) => ({ builder, kind, target })),
  )
  const targets = [...new Set(links.map(({ target }) => target))]
  const named = knowledge.memories(targets.filter(isMemoryId).slice(0, MAX_BASES))
  const contextIds = targets.filter((target) => !isMemoryId(target))
  const latest = contextIds.length === 0 ? [] : knowledge.latest({ types: [], contextIds }, MAX_BASES)
  const meant = links.flatMap(({ builder, kind, target }) => {
    const own = readPayload(builder.payload)
    const earlier = latest.filter(({ contextId, seq }) => contextId === target && seq < builder.seq)
    const same = earlier.filter(
      ({ text, payload }) => text.length <= MAX_COMPARED && sameThing(own, readPayload(payload)),
    )
    const isLost = kind === 'extension' && earlier.every(({ trust }) => trust.status === 'superseded')
    return same.length > 0 ? same : isLost ? earlier : []
  })
  return [...named, ...meant].slice(0, MAX_BASES)
}
