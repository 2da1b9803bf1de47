import { describe, expect, test } from 'vitest'
import { contradicts, event, extending, reinforces } from '../../../store/support.js'
import { useGraphs } from '../support.js'

const graphs = useGraphs()

const UNCONFIRMED = 'What was replaced was replaced by a single observation that nothing has confirmed.'
const BASIS = 'The strongest memory builds on something that is disputed.'

/** What else a graph knows, so that words have weight. */
const REST = [
  event('note:billing', 'The invoice exporter rounds every currency to cents.'),
  event('skill:hiring', 'Each candidate meets two people before the offer.'),
  event('tool:editing', 'The keyboard shortcut for comments is slash.'),
]

describe('a contradiction settled by an observation', () => {
  const OLD = event('experiment:loss', 'Quantile loss beats Tweedie loss in the backtest.')
  const NEW = 'Tweedie loss beats quantile loss in the live test.'
  const TASK = 'Which loss beats the other, Tweedie loss or quantile loss?'
  const replaced = async (eventKind: 'observation' | 'decision') => {
    const graph = await graphs.graphOf(...REST, OLD)
    const old = graph.ids.at(-1) ?? ''
    const [by = ''] = await graph.record(event('experiment:loss', NEW, { eventKind, ...contradicts(old) }))
    return { graph, by }
  }

  test('a decision settles it: high', async () => {
    const { graph } = await replaced('decision')
    const { level, reasons } = await graph.ask(TASK)
    expect(level).toBe('high')
    expect(reasons).not.toContain(UNCONFIRMED)
  })

  test('a lone observation leaves doubt: never high, and the reasons say why', async () => {
    const { graph } = await replaced('observation')
    const { level, reasons, evidence } = await graph.ask(TASK)
    expect(evidence.map(({ role }) => role)).toContain('superseded')
    expect(level).not.toBe('high')
    expect(reasons).toContain(UNCONFIRMED)
  })

  test('an observation that another memory reinforces is confirmed: high', async () => {
    const { graph, by } = await replaced('observation')
    const before = await graph.ask(TASK)
    await graph.record(event('review:loss', 'The live test was sound.', reinforces(by)))
    const after = await graph.ask(TASK)
    expect(after.score).toBeGreaterThan(before.score)
    expect(after.level).toBe('high')
    expect(after.reasons).not.toContain(UNCONFIRMED)
  })
})

describe('what the strongest memory builds on', () => {
  const BASE = event('dataset:sales', 'Till data lands at half past two.', { source: 'user' })
  const LEAD = event(
    'dashboard:rate',
    'The fill rate dashboard refreshes at four.',
    extending('dataset:sales'),
  )
  const TASK = 'When does the fill rate dashboard refresh?'

  test('undisputed: high', async () => {
    const graph = await graphs.graphOf(...REST, BASE, LEAD)
    expect(await graph.ask(TASK)).toMatchObject({ level: 'high' })
  })

  test('disputed: never high, and the reasons say why', async () => {
    const graph = await graphs.graphOf(...REST, BASE, LEAD)
    const before = await graph.ask(TASK)
    // From a source of less trust, so that it replaces nothing.
    await graph.record(
      event('dataset:sales', 'Till data lands at six.', {
        source: 'system',
        ...contradicts('dataset:sales'),
      }),
    )
    const after = await graph.ask(TASK)
    expect(after.evidence[0]?.memory.trust.status).toBe('current')
    expect(after.score).toBeLessThan(before.score)
    expect(after.level).not.toBe('high')
    expect(after.reasons).toContain(BASIS)
  })
})
