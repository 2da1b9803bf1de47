import { describe, expect, test } from 'vitest'
import { withRecordsAgainst } from '../../../../src/domain/insight/against.js'
import type { Evidence } from '../../../../src/domain/insight/reconcile.js'
import { WEIGHTS } from '../../../../src/domain/insight/weights.js'
import type { Memory } from '../../../../src/domain/model.js'
import { event } from '../../../store/support.js'
import { useGraphs } from '../support.js'

const graphs = useGraphs()
const WORDS =
  'alto bass bench candle door encore flute gown hymn key lamp organ piano row stage tenor ticket'.split(' ')

function found(memory: Memory, more: Partial<Evidence> = {}): Evidence {
  return {
    ...{ memory, score: 1, features: WEIGHTS, foundBy: ['words'] },
    ...{ role: 'supports', relevance: 1, stands: true, ...more },
  }
}

describe('a record that may mean a memory, both found for a question', () => {
  /** The memories that are told, in their order, where so much is known of the context and of how the record was found. */
  async function toldOf(how: Partial<Evidence> & { readonly isKnown: boolean }) {
    const graph = await graphs.graphOf(
      event('house:upkeep', 'The boiler is serviced by Ista every spring'),
      event('house:upkeep', 'The boiler of the annexe is looked after by Otis'),
    )
    const [memory, record] = await Promise.all(graph.ids.map((id) => graph.memory(id)))
    if (memory === undefined || record === undefined) throw new Error('Both were recorded.')
    const { isKnown, ...more } = how
    const evidence = await withRecordsAgainst(
      {
        latest: async () => (isKnown ? [memory] : []),
        vectors: async () => new Map(),
        recordsAgainst: async () => new Map([[memory.memoryId, [record]]]),
      },
      [found(memory)],
      [found(memory), found(record, more)],
    )
    return evidence.map((item) => (item.memory === record ? 'record' : 'memory'))
  }

  test.each([
    ['leads if it means the memory most', { isKnown: true }, ['record', 'memory']],
    ['follows if it may mean another that is older', { isKnown: false }, ['memory', 'record']],
    ['follows if it was found by a link alone', { isKnown: true, foundBy: ['link'] }, ['memory', 'record']],
    ['follows if it does not fit', { isKnown: true, score: -1 }, ['memory', 'record']],
  ] as const)('%s', async (_, how, told) => {
    expect(await toldOf(how)).toEqual(told)
  })
})

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
  const evidence = asked.map((memory) => found(memory))
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
