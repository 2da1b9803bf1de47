import { isMemoryId } from '../ids.js'
import { readPayload, sameThing } from '../judgement/judgement.js'
import type { Link, Memory, MemoryId } from '../model.js'
import type { Knowledge } from '../search/knowledge.js'
import { folded } from '../trust/fields.js'
import { eachOnce } from './each-once.js'
import { BEHIND, type Evidence } from './reconcile.js'
import { standingFor } from './replacements.js'

/** Of how many stale memories it is asked, the most relevant ones. */
const MOST_ASKED = 5
/** Through how many others a memory may build on what was replaced. */
const MOST_BETWEEN = 3
/** How many memories at a time are looked at below others, the latest ones of contexts. */
const LOOKED_AT = 50
/** What is longer takes long to read. */
const LONGEST_READ = 1_000

type Asked = Pick<Knowledge, 'latest' | 'memories'>

/**
 * The evidence with what replaced that which stale memories build on, behind each of them, whatever the limit or the
 * filter left out: that something has been replaced is half of an answer.
 */
export function withWhatShookThem(knowledge: Asked, evidence: readonly Evidence[]): readonly Evidence[] {
  const causes = new Map<MemoryId, Memory>()
  const stale = evidence.filter(({ stands, memory }) => stands && memory.trust.status === 'stale')
  for (const { memory } of stale.slice(0, MOST_ASKED)) {
    const cause = causeOf(memory, knowledge)
    if (cause !== undefined) causes.set(memory.memoryId, cause)
  }
  if (causes.size === 0) return evidence
  return eachOnce(evidence, (item, { put, beside }) => {
    const cause = causes.get(item.memory.memoryId)
    put(cause === undefined ? item : { ...item, shakenBy: cause.memoryId })
    if (cause !== undefined) beside(cause, BEHIND * item.relevance)
  })
}

/** The latest memory that stands in the place of something that a stale memory builds on. */
function causeOf(memory: Memory, knowledge: Asked): Memory | undefined {
  const known = new Map([[memory.memoryId, memory]])
  let builders: readonly Memory[] = [memory]
  let before: Memory | undefined
  for (let between = 0; builders.length > 0 && between <= MOST_BETWEEN; between++) {
    const bases = basesOf(builders, knowledge).filter(({ memoryId }) => !known.has(memoryId))
    for (const base of bases) known.set(base.memoryId, base)
    const replacing: Memory[] = []
    for (const base of bases.filter(({ trust }) => trust.status === 'superseded'))
      replacing.push(...standingFor(base, known, knowledge))
    const replacedFields = bases.flatMap((base) => replacedUnder(builders, base))
    if (replacedFields.length > 0) replacing.push(...knowledge.memories(replacedFields))
    const since = latestOf(replacing.filter(({ seq }) => seq > memory.seq))
    if (since !== undefined) return since
    before ??= latestOf(replacing)
    builders = bases.filter(({ trust }) => trust.status === 'stale')
  }
  // It was recorded before, and stated again.
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

function latestOf(memories: readonly Memory[]): Memory | undefined {
  return memories.reduce<Memory | undefined>(
    (latest, one) => (latest === undefined || one.seq > latest.seq ? one : latest),
    undefined,
  )
}

/**
 * What memories build on, the latest ones: what they name, and of the contexts that they name what speaks of the same thing; of
 * a context that is extended as a whole, all, if all of it was replaced.
 */
function basesOf(builders: readonly Memory[], knowledge: Asked): readonly Memory[] {
  const links = builders.flatMap((builder) =>
    builder.links.filter(isBuilding).map(({ kind, target }) => ({ builder, kind, target })),
  )
  const targets = [...new Set(links.map(({ target }) => target))]
  const named = knowledge.memories(targets.filter(isMemoryId).slice(0, LOOKED_AT))
  const contextIds = targets.filter((target) => !isMemoryId(target))
  const latest = contextIds.length === 0 ? [] : knowledge.latest({ types: [], contextIds }, LOOKED_AT)
  const meant = links.flatMap(({ builder, kind, target }) => {
    const own = readPayload(builder.payload)
    const earlier = latest.filter(({ contextId, seq }) => contextId === target && seq < builder.seq)
    const same = earlier.filter(
      ({ text, payload }) => text.length <= LONGEST_READ && sameThing(own, readPayload(payload)),
    )
    const isLost = kind === 'extension' && earlier.every(({ trust }) => trust.status === 'superseded')
    return same.length > 0 ? same : isLost ? earlier : []
  })
  return [...named, ...meant].slice(0, LOOKED_AT)
}
