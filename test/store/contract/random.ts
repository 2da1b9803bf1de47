import fc from 'fast-check'
import { LINK_KINDS, type Link, SOURCES } from '../../../src/domain/model.js'
import type { Store } from '../../../src/store/store.js'
import { at, event } from '../support.js'

const CONTEXTS = ['skill:a', 'skill:b', 'decision:c', 'fact:d']
const TEXTS = [
  'the cache holds ten entries',
  'the cache holds twenty entries',
  'deploys run on friday',
  'retries are capped',
]

const step = fc.record({
  context: fc.nat(CONTEXTS.length - 1),
  text: fc.nat(TEXTS.length - 1),
  source: fc.constantFrom(...SOURCES),
  links: fc.array(
    fc.record({ kind: fc.constantFrom(...LINK_KINDS), toMemory: fc.boolean(), target: fc.nat(20) }),
    { maxLength: 2 },
  ),
  alone: fc.boolean(),
})

/** What to record in a graph, one step after another: repeats and links to contexts and memories are common. */
export const randomSteps = fc.array(step, { minLength: 1, maxLength: 14 })
export type Steps = typeof randomSteps extends fc.Arbitrary<infer T> ? T : never

/** Steps of which one is a repeat, one disputes and one supersedes: chance alone leaves out one of them now and then. */
export const EVERY_OUTCOME: Steps = [
  { context: 0, text: 0, source: 'user', links: [], alone: true },
  { context: 0, text: 0, source: 'user', links: [], alone: true },
  { context: 1, text: 1, source: 'agent', links: [contradictionOf(0)], alone: true },
  { context: 2, text: 2, source: 'user', links: [contradictionOf(0)], alone: true },
]

function contradictionOf(memory: number): Steps[number]['links'][number] {
  return { kind: 'contradiction', toMemory: true, target: memory }
}

/**
 * Records the steps, some of them together, and gives the ids of the new memories in order of recording; links lead to
 * those `before` as well.
 */
export async function recordSteps(
  store: Store,
  graphId: string,
  steps: Steps,
  before: readonly string[] = [],
): Promise<string[]> {
  const ids = [...before]
  let together: ReturnType<typeof event>[] = []
  for (const { context, text, source, links, alone } of steps) {
    const stated = links.map(({ kind, toMemory, target }): Link => {
      const memory = ids[target % Math.max(1, ids.length)]
      return { kind, target: toMemory && memory !== undefined ? memory : (CONTEXTS[target % 4] ?? '') }
    })
    // One memory cannot be reinforced and contradicted by one event.
    const seen = new Map(stated.map((link) => [link.target, link]))
    together.push(event(CONTEXTS[context] ?? '', TEXTS[text] ?? '', { source, links: [...seen.values()] }))
    if (!alone) continue
    for (const { memoryId } of await store.append(graphId, together, at))
      if (!ids.includes(memoryId)) ids.push(memoryId)
    together = []
  }
  if (together.length > 0)
    for (const { memoryId } of await store.append(graphId, together, at))
      if (!ids.includes(memoryId)) ids.push(memoryId)
  return ids.slice(before.length)
}
