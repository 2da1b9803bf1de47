import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ContextId, LINK_KINDS, type LinkKind, type NewMemory } from '../../../src/domain/model.js'
import { byCodeUnit } from '../../../src/domain/names.js'
import type { Neighbourhood, NeighbourhoodLimits } from '../../../src/domain/survey/neighbourhood.js'
import { at, event, type OpenBench } from '../support.js'
import { useStore } from './bench.js'

const ROOT = 'c:0'
/** The lower the number the more links, so that some are stated often. */
const context = fc.tuple(fc.nat(15), fc.nat(15)).map(([a, b]) => `c:${Math.min(a, b)}`)
const link = fc.record({ kind: fc.constantFrom<LinkKind>('extension', 'related-to'), target: context })
const events = fc.array(fc.record({ from: context, links: fc.array(link, { maxLength: 3 }) }), {
  minLength: 10,
  maxLength: 60,
})
const reach = fc.record({ depth: fc.integer({ min: 1, max: 3 }), limit: fc.integer({ min: 1, max: 16 }) })

export function neighbourhoodContract(open: OpenBench, runs: number): void {
  const bench = useStore(open)
  let run = 0

  test('what lies around a context is what its events add up to, and so is what is left out', async () => {
    const property = fc.asyncProperty(
      events,
      fc.constantFrom(0, 0, 40),
      fc.array(reach, { minLength: 4 }),
      async (some, others, reaches) => {
        const graph = `around${run++}`
        const all = [
          event(ROOT, 'first'),
          ...some.map(({ from, links }, i) => event(from, `number ${i}`, { links })),
          ...Array.from({ length: others }, (_, i) => event(`o:${i}`, 'beside')),
        ]
        await bench.store.append(graph, all, at)
        for (const one of reaches) {
          const found = await bench.store.read(graph, async (reader) => reader.neighbourhood(ROOT, one))
          expect(told(found)).toEqual(reckon(all, one))
        }
      },
    )
    await fc.assert(property, { numRuns: runs })
  }, 120_000)
}

function told({ contexts, links, leftOut }: Neighbourhood) {
  return {
    contexts: contexts.map(({ contextId, memoryCount, distance }) => [contextId, memoryCount, distance]),
    links: links.map(({ from, to, kind, weight }) => [from, to, kind, weight]),
    leftOut,
  }
}

/** The same from all events, as slowly and as simply as it can be. */
function reckon(all: readonly NewMemory[], { depth, limit }: NeighbourhoodLimits): ReturnType<typeof told> {
  const stated = all.flatMap(({ contextId: from, links }, memory) =>
    links.map(({ kind, target: to }) => ({ from, to, kind, memory })),
  )
  const weight = (isMeant: (one: (typeof stated)[number]) => boolean) =>
    new Set(stated.filter(isMeant).map(({ from, to, kind, memory }) => [from, to, kind, memory].join(' ')))
      .size
  const memories = (id: ContextId) => all.filter(({ contextId }) => contextId === id).length
  const ids = [...new Set([...all.map(({ contextId }) => contextId), ...stated.map(({ to }) => to)])]
  const given = [{ id: ROOT, distance: 0 }]
  let left = 0
  for (let distance = 1; distance <= depth && left === 0; distance++) {
    const isGiven = (id: ContextId) => given.some((one) => one.id === id)
    const edge = new Set(given.filter((one) => one.distance === distance - 1).map(({ id }) => id))
    const near = (id: ContextId) =>
      weight(({ from, to }) => (from === id && edge.has(to)) || (to === id && edge.has(from)))
    const reached = ids
      .filter((id) => !isGiven(id) && near(id) > 0)
      .sort((a, b) => near(b) - near(a) || memories(b) - memories(a) || byCodeUnit(a, b))
    const room = limit - given.length
    given.push(...reached.slice(0, room).map((id) => ({ id, distance })))
    left = Math.max(0, reached.length - room)
  }
  const links = given.flatMap(({ id: from }) =>
    given.flatMap(({ id: to }) =>
      LINK_KINDS.map((kind): [ContextId, ContextId, typeof kind, number] => [
        from,
        to,
        kind,
        weight((one) => one.from === from && one.to === to && one.kind === kind),
      ]),
    ),
  )
  return {
    contexts: given.map(({ id, distance }) => [id, memories(id), distance]),
    links: links.filter(([, , , many]) => many > 0),
    leftOut: { contexts: left, links: 0, unexplored: 0 },
  }
}
