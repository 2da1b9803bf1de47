import { isMemoryId } from '../../ids.js'
import { readPayload, sameThing } from '../../judgement/judgement.js'
import type { Memory } from '../../model.js'
import type { Knowledge } from '../../search/knowledge.js'
import { BEHIND, type Evidence } from './reconcile.js'
import { standingFor } from './replacements.js'

/** Of how many stale memories it is asked, the most relevant ones. */
const MOST_ASKED = 5
/** Through how many others a memory may build on what was replaced. */
const MOST_BETWEEN = 3
/** Of how many memories of the contexts that it extends this is asked, the latest ones. */
const LOOKED_AT = 50

type Asked = Pick<Knowledge, 'latest' | 'memories'>

/**
 * The evidence with what replaced that which stale memories build on, behind each of them, whatever the limit or the
 * filter left out: that something has been replaced is half of an answer.
 */
export async function withWhatShookThem(
  knowledge: Asked,
  evidence: readonly Evidence[],
): Promise<readonly Evidence[]> {
  const causes = new Map<Evidence, Memory>()
  const stale = evidence.filter(({ stands, memory }) => stands && memory.trust.status === 'stale')
  for (const item of stale.slice(0, MOST_ASKED)) {
    const cause = await causeOf(item.memory, knowledge)
    if (cause !== undefined) causes.set(item, cause)
  }
  if (causes.size === 0) return evidence
  const known = new Map(evidence.map((item) => [item.memory.memoryId, item]))
  const put = new Set<Evidence>()
  return evidence.flatMap((item) => {
    if (put.has(item)) return []
    put.add(item)
    const cause = causes.get(item)
    if (cause === undefined) return [item]
    const own = known.get(cause.memoryId)
    const told = { ...item, toldWith: cause.memoryId }
    if (own !== undefined && put.has(own)) return [told]
    if (own !== undefined) put.add(own)
    const foundBy = own?.foundBy ?? ['link' as const]
    const relevance = Math.max(own?.relevance ?? 0, BEHIND * item.relevance)
    return [told, { ...item, ...own, memory: cause, foundBy, role: 'supports' as const, relevance }]
  })
}

/** The latest memory that stands in the place of something that a stale memory builds on. */
async function causeOf(memory: Memory, knowledge: Asked): Promise<Memory | undefined> {
  const seen = new Set([memory.memoryId])
  let builders: readonly Memory[] = [memory]
  for (let between = 0; builders.length > 0 && between <= MOST_BETWEEN; between++) {
    const bases: Memory[] = []
    for (const builder of builders)
      for (const base of await basesOf(builder, knowledge))
        if (seen.size < seen.add(base.memoryId).size) bases.push(base)
    const replacing: Memory[] = []
    for (const base of bases.filter(({ trust }) => trust.status === 'superseded'))
      replacing.push(...(await standingFor(base, new Map(), knowledge)))
    const since = replacing.filter(({ seq }) => seq > memory.seq)
    if (since.length > 0) return since.reduce((latest, one) => (one.seq > latest.seq ? one : latest))
    builders = bases.filter(({ trust }) => trust.status === 'stale')
  }
  return undefined
}

/** What a memory builds on: what it names, and of the contexts that it names what speaks of the same thing, or else all. */
async function basesOf({ memoryId, seq, links, payload }: Memory, knowledge: Asked): Promise<Memory[]> {
  const targets = links
    .filter(({ kind }) => kind === 'extension' || kind === 'reinforcement')
    .map(({ target }) => target)
  const bases = [...(await knowledge.memories(targets.filter(isMemoryId)))]
  const own = readPayload(payload)
  for (const contextId of targets.filter((target) => !isMemoryId(target))) {
    const latest = await knowledge.latest({ types: [], contextIds: [contextId] }, LOOKED_AT)
    const earlier = latest.filter((other) => other.memoryId !== memoryId && other.seq < seq)
    const meant = earlier.filter((other) => sameThing(own, readPayload(other.payload)))
    bases.push(...(meant.length > 0 ? meant : earlier))
  }
  return bases
}
