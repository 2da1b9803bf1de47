import { expect, test } from 'vitest'
import { WEIGHTS } from '../../../../src/domain/insight/3-rank/weights.js'
import { withRecordsAgainst } from '../../../../src/domain/insight/4-reconcile/against.js'
import type { Evidence } from '../../../../src/domain/insight/4-reconcile/reconcile.js'
import type { Memory } from '../../../../src/domain/model.js'
import { event } from '../../../store/support.js'
import { useGraphs } from '../support.js'

const graphs = useGraphs()
const WORDS =
  'alto bass bench candle door encore flute gown hymn key lamp organ piano row stage tenor ticket'.split(' ')

test('however many records contradict a context, each of its memories is read once', async () => {
  const stated = Array.from({ length: 60 }, (_, i) => {
    const words = [1, 5, 7, 11].map((step) => WORDS[(i * step + step) % WORDS.length])
    return event('choir:autumn', `${words.join(' ')} ${i}`)
  })
  const graph = await graphs.graphOf(...stated)
  const read = new Map<string, number>()
  const memories: Memory[] = []
  for (const id of graph.ids) {
    const { payload, ...memory } = await graph.memory(id)
    memories.push({
      ...memory,
      get payload() {
        read.set(id, (read.get(id) ?? 0) + 1)
        return payload
      },
    })
  }
  const [asked, others, records] = [memories.slice(0, 5), memories.slice(5, 30), memories.slice(30)]
  const evidence = asked.map(
    (memory): Evidence => ({
      memory,
      score: 1,
      features: WEIGHTS,
      foundBy: ['words'],
      role: 'supports',
      relevance: 1,
      stands: true,
    }),
  )
  const told = await withRecordsAgainst(
    {
      latest: async () => others,
      vectors: async () => new Map(),
      recordsAgainst: async (ids) => new Map(ids.map((id) => [id, records])),
    },
    evidence,
    [],
  )
  expect(told.length).toBeGreaterThan(evidence.length)
  expect([...read.keys()].toSorted()).toEqual([...graph.ids].toSorted())
  expect(Math.max(...read.values())).toBe(1)
})
