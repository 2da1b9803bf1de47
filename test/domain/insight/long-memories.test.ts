import { describe, expect, test } from 'vitest'
import { contradicts, event, extending } from '../../store/support.js'
import { LONE_SURROGATE, useGraphs } from './support.js'

const graphs = useGraphs()

const REST = [
  event('note:billing', 'The invoice exporter rounds every currency to cents.'),
  event('skill:hiring', 'Each candidate meets two people before the offer.'),
  event('tool:editing', 'The keyboard shortcut for comments is slash.'),
]
/** More than an answer has room for. */
const LONG = ' and nobody may move it to a later hour'.repeat(9)
const TASK = 'When must the nightly export of customer invoices run?'

describe('memories that are longer than an answer', () => {
  test('both sides of an open contradiction are shown', async () => {
    const graph = await graphs.graphOf(
      ...REST,
      event('rule:export', `The nightly export of customer invoices must run at two${LONG}`, {
        source: 'user',
      }),
    )
    const other = `The nightly export of customer invoices must run at five${LONG}`
    await graph.record(event('rule:export', other, contradicts(graph.ids.at(-1) ?? '')))
    const { insight, level } = await graph.ask(TASK)
    for (const side of ['must run at two', 'must run at five']) expect(insight).toContain(side)
    expect(insight).toMatch(/^Against this: /m)
    expect(level).not.toBe('high')
  })

  test('two sides that cannot be cut at clauses are within the limit of the contract, both begun', async () => {
    const side = (hour: number) => `夜間の請求書エクスポートは${hour}時に実行される。`.repeat(400)
    const graph = await graphs.graphOf(...REST, event('rule:export', side(2), { source: 'user' }))
    await graph.record(event('rule:export', side(5), contradicts(graph.ids.at(-1) ?? '')))
    const { insight, firstLine, recommendation } = await graph.ask(
      '夜間の請求書エクスポートは何時に実行される',
    )
    for (const text of [insight, recommendation]) {
      expect(text.length).toBeLessThanOrEqual(8_000)
      expect(text).not.toMatch(LONE_SURROGATE)
    }
    expect(firstLine.length).toBeLessThanOrEqual(200)
    for (const hour of ['2時に', '5時に']) expect(insight).toContain(hour)
  })

  test('what replaced that which one builds on is shown', async () => {
    const graph = await graphs.graphOf(
      ...REST,
      event('sys:accounts', 'The accounting system locks its tables at three'),
    )
    const base = graph.ids.at(-1) ?? ''
    await graph.record(
      event('rule:export', `The nightly export of customer invoices must run at two${LONG}`, extending(base)),
      event('sys:accounts', 'The accounting system no longer locks its tables', contradicts(base)),
    )
    const { firstLine, insight, level } = await graph.ask(TASK)
    expect(firstLine).toContain('must run at two')
    expect(insight).toContain('What it builds on was replaced by: ')
    expect(insight).toContain('The accounting system no longer locks its tables')
    expect(level).not.toBe('high')
  })
})

test('what says nothing, and was recorded when that was possible, is no answer', async () => {
  const graph = await graphs.graphOf(
    ...['', null, [], '   ', { b: {} }].map((value) => event('topic:payments', '', { payload: { value } })),
  )
  expect(await graph.ask('payments')).toMatchObject({ evidence: [], level: 'low' })
})
