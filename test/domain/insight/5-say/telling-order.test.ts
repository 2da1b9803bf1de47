import { describe, expect, test } from 'vitest'
import { find } from '../../../../src/domain/insight/3-rank/find.js'
import { reconcile } from '../../../../src/domain/insight/4-reconcile/reconcile.js'
import { inTellingOrder } from '../../../../src/domain/insight/5-say/telling-order.js'
import { knowledgeOf } from '../../../../src/handlers/knowledge.js'
import { event } from '../../../store/support.js'
import { type Graph, lexicon, useGraphs } from '../support.js'

const graphs = useGraphs()

async function told(graph: Graph, text: string): Promise<{ chosen: string[]; told: string[] }> {
  const knowledge = knowledgeOf(graphs.store(), graph.graphId)
  const found = await find(knowledge, await lexicon, { text, scope: undefined, limit: 5 })
  const evidence = reconcile(found, 5)
  return {
    chosen: evidence.map(({ memory }) => memory.contextId),
    told: inTellingOrder(evidence, found.pool).map(({ memory }) => memory.contextId),
  }
}

describe('the order of telling', () => {
  test('begins with the strongest', async () => {
    const graph = await graphs.graphOf(
      event('note:other', 'The gateway was renamed.'),
      event('rule:keys', 'Rotate the signing keys of the gateway every month.'),
      event('note:keys', 'Keys are long.'),
    )
    const order = await told(graph, 'rotate the signing keys of the gateway')
    expect(order.told[0]).toBe(order.chosen[0])
    expect(order.told[0]).toBe('rule:keys')
  })

  test('what answers more of the question comes before what says the same again', async () => {
    const graph = await graphs.graphOf(
      event('a:one', 'Signing keys rotate every month at the gateway.'),
      event('b:again', 'Signing keys rotate every month at the gateway, as ever.'),
      event('c:news', 'The invoice exporter restarts nightly.'),
      event('d:noise', 'Lunch is at noon.'),
    )
    const order = await told(
      graph,
      'How often do signing keys rotate, and when does the invoice exporter restart?',
    )
    const [first, second] = order.told
    expect([first, second]).toContain('c:news')
    expect([first, second]).not.toEqual(['a:one', 'b:again'])
    expect(order.told.length).toBeGreaterThan(1)
  })

  test('tells each once, and only what was chosen', async () => {
    const graph = await graphs.graphOf(
      ...['one', 'two', 'three', 'four'].map((n) => event(`a:${n}`, `Signing keys rotate, part ${n}.`)),
    )
    const order = await told(graph, 'signing keys rotate')
    expect(new Set(order.told).size).toBe(order.told.length)
    expect(order.chosen).toEqual(expect.arrayContaining(order.told))
  })

  test('nothing chosen, nothing told', async () => {
    const graph = await graphs.graphOf(event('a:one', 'Signing keys rotate.'))
    expect(await told(graph, 'zzz')).toEqual({ chosen: [], told: [] })
  })
})
