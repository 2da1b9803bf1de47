import fc from 'fast-check'
import { type JsonObject, LINK_KINDS, type Link, type NewMemory, SOURCES } from '../../../src/domain/model.js'
import type { Store } from '../../../src/store/store.js'
import { at, event } from '../support.js'

const CONTEXTS = ['skill:a', 'skill:b', 'decision:c', 'fact:d']
const SAID: readonly JsonObject[] = [
  { text: 'the cache holds ten entries' },
  { text: 'the cache holds twenty entries' },
  { text: 'deploys run on friday' },
  { text: 'retries are capped' },
  { dish: 'risotto', price: 18, 'in/out': 'in' },
  { dish: 'risotto', price: 21 },
  { price: 21 },
  { price: 24, text: 'deploys run on monday', since: 'May' },
  { 'in/out': 'out' },
]
/** What was said by the memories that were recorded here. */
const saidBy = new Map<string, JsonObject>()

const step = fc.record({
  context: fc.nat(CONTEXTS.length - 1),
  text: fc.nat(SAID.length - 1),
  source: fc.constantFrom(...SOURCES),
  links: fc.array(
    fc.record({
      kind: fc.constantFrom(...LINK_KINDS),
      toMemory: fc.boolean(),
      target: fc.nat(20),
      field: fc.option(fc.nat(5), { nil: undefined }),
    }),
    { maxLength: 2 },
  ),
  alone: fc.boolean(),
  from: fc.option(fc.integer({ min: -4, max: 4 }), { nil: undefined, freq: 3 }),
  length: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 4 }),
})

/** What to record in a graph, one step after another: repeats and links to contexts and memories are common. */
export const randomSteps = fc.array(step, { minLength: 1, maxLength: 14 })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
export type Steps = typeof randomSteps extends fc.Arbitrary<infer T> ? T : never

const UNDATED = { alone: true, from: undefined, length: undefined }

/** Steps of which one is a repeat, one disputes and one supersedes: chance alone leaves out one of them now and then. */
export const EVERY_OUTCOME: Steps = [
  { ...UNDATED, context: 0, text: 0, source: 'user', links: [] },
  { ...UNDATED, context: 0, text: 0, source: 'user', links: [] },
  { ...UNDATED, context: 1, text: 1, source: 'agent', links: [contradictionOf(0)] },
  { ...UNDATED, context: 2, text: 2, source: 'user', links: [contradictionOf(0)] },
]

/** Noon of a day about which the steps are recorded. */
function noonOf(day: number): string {
  return new Date(Date.UTC(2025, 0, 1 + day, 12)).toISOString()
}

function datesOf({
  from,
  length,
}: Pick<Step, 'from' | 'length'>): Pick<NewMemory, 'validFrom' | 'validUntil'> {
  return {
    ...(from !== undefined && { validFrom: noonOf(from) }),
    ...(length !== undefined && { validUntil: noonOf((from ?? 0) + length) }),
  }
}

function contradictionOf(memory: number): Step['links'][number] {
  return { kind: 'contradiction', toMemory: true, target: memory, field: undefined }
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
  for (const { context, text, source, links, alone, ...dates } of steps) {
    const stated = links.map(({ kind, toMemory, target, field = Number.NaN }): Link => {
      const memory = ids[target % Math.max(1, ids.length)]
      if (!toMemory || memory === undefined) return { kind, target: CONTEXTS[target % 4] ?? '' }
      const names = Object.keys(saidBy.get(memory) ?? {})
      const name = names[field % names.length]
      return { kind, target: memory, ...(name !== undefined && { field: name }) }
    })
    // One memory cannot be reinforced and contradicted by one event.
    const seen = new Map(stated.map((link) => [link.target, link]))
    const payload = SAID[text] ?? {}
    together.push(
      event(CONTEXTS[context] ?? '', '', { payload, source, links: [...seen.values()], ...datesOf(dates) }),
    )
    if (alone) await append()
  }
  if (together.length > 0) await append()
  return ids.slice(before.length)

  async function append(): Promise<void> {
    for (const [i, { memoryId }] of (await store.append(graphId, together, at)).entries()) {
      if (!ids.includes(memoryId)) ids.push(memoryId)
      saidBy.set(memoryId, together[i]?.payload ?? {})
    }
    together = []
  }
}
