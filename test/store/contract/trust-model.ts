import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgedByText } from '../../../src/domain/judgement/judged-by-text.js'
import { type LinkKind, SOURCES } from '../../../src/domain/model.js'
import { TrustRules } from '../../model/trust-rules.js'
import { ask, at, event, exported, inPages, type OpenBench, record } from '../support.js'
import { useStore } from './bench.js'

const CONTEXTS = ['fact:a', 'fact:b']
const TEXTS = [
  'The API listens on port 8080',
  'The API listens on port 9090',
  'the api listens on port 8080.',
  'The payment service is up',
  'The payment service is down',
  'Anna is allergic to peanuts',
]
/** What the model calls each kind. */
const KINDS = {
  reinforcement: 'reinforces',
  extension: 'extends',
  contradiction: 'contradicts',
  'related-to': 'related',
} as const satisfies Record<LinkKind, string>

const kind = fc.constantFrom<LinkKind>(
  'contradiction',
  'contradiction',
  'reinforcement',
  'extension',
  'related-to',
)
const link = fc.record({ kind, target: fc.oneof(fc.constantFrom(...CONTEXTS), fc.nat(9)) })
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      context: fc.constantFrom(...CONTEXTS),
      text: fc.constantFrom(...TEXTS),
      source: fc.constantFrom(...SOURCES),
      links: fc.array(link, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ erase: fc.nat(9), whole: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
  { weight: 1, arbitrary: fc.constant('move' as const) },
)

/** Random histories with real texts: the store says of each memory what the rules say, read over the whole history. */
export function trustModelContract(open: OpenBench, runs: number): void {
  describe('trust, against the rules written down once more', () => {
    const bench = useStore(open)

    it('after records, sightings, erasures, restarts and imports', async () => {
      let graphs = 0
      const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        let graph = `g${graphs++}`
        const memories = new Map<string, { context: string; text: string }>()
        const judgement = judgedByText((id) => ({
          payload: { text: memories.get(id)?.text ?? '' },
          contextId: 'fact:any',
        }))
        const rules = new TrustRules(judgement)
        const pick = (n: number) => [...memories.keys()][n % Math.max(1, memories.size)]
        for (const one of steps) {
          if (one === 'restart') await bench.reopen()
          else if (one === 'move') {
            if (memories.size === 0) continue
            const copy = `g${graphs++}`
            await bench.store.importGraph(copy, inPages(await exported(bench.store, graph)), at)
            graph = copy
          } else if ('erase' in one) {
            const memoryId = pick(one.erase)
            const contextId = memories.get(memoryId ?? '')?.context
            if (memoryId === undefined || contextId === undefined) continue
            const what = one.whole ? { contextId } : { memoryId }
            const { memoryIds } = await bench.store.erase(graph, what, { dryRun: false })
            rules.erase(memoryIds)
            for (const id of memoryIds) memories.delete(id)
          } else {
            const wanted = one.links.flatMap(({ kind, target }) => {
              const to = typeof target === 'number' ? pick(target) : target
              return to === undefined ? [] : [{ kind, target: to }]
            })
            // One memory is not both reinforced and contradicted.
            const links = [...new Map(wanted.map((link) => [link.target, link])).values()]
            const { context, text, source } = one
            const { memoryId } = await record(bench.store, graph, event(context, text, { source, links }))
            memories.set(memoryId, { context, text })
            rules.state(
              memoryId,
              context,
              source,
              links.map((link) => ({ kind: KINDS[link.kind], target: link.target })),
            )
          }
          for (const id of memories.keys()) {
            const { trust, timesSeen } = await ask(bench.store, graph).memory(id)
            const { status, confidence, supersededBy, supersedes, disputedBy } = trust
            expect({ status, confidence, supersededBy, supersedes, disputedBy, timesSeen }).toEqual(
              rules.tell(id),
            )
          }
        }
      })
      await fc.assert(property, { numRuns: runs })
    }, 300_000)
  })
}
