import { describe, expect, test } from 'vitest'
import { contradicts, event, extending } from '../../store/support.js'
import { useGraphs } from './support.js'

const graphs = useGraphs()

const REST = [
  event('note:billing', 'The invoice exporter rounds every currency to cents.'),
  event('skill:hiring', 'Each candidate meets two people before the offer.'),
  event('tool:editing', 'The keyboard shortcut for comments is slash.'),
]
/** More than the 80 words that an answer has room for. */
const LONG = ' and nobody may move it to a later hour'.repeat(9)
const TASK = 'When must the nightly export of customer invoices run?'

describe('memories that are longer than an answer', () => {
  test('both sides of an open contradiction are told, and it is not high', async () => {
    const graph = await graphs.graphOf(
      ...REST,
      event('rule:export', `The nightly export of customer invoices must run at two${LONG}`, {
        source: 'user',
      }),
    )
    const said = graph.ids.at(-1) ?? ''
    const other = `The nightly export of customer invoices must run at five${LONG}`
    await graph.record(event('rule:export', other, { source: 'agent', ...contradicts(said) }))
    const { insight, level } = await graph.ask(TASK)
    for (const side of ['must run at two', 'must run at five']) expect(insight).toContain(side)
    expect(insight).toContain('Against this')
    expect(level).not.toBe('high')
  })

  test('two sides that cannot be cut at clauses are within the limit of the contract, both begun', async () => {
    const side = (hour: number) => `夜間の請求書エクスポートは${hour}時に実行される。`.repeat(400)
    const graph = await graphs.graphOf(...REST, event('rule:export', side(2), { source: 'user' }))
    const said = graph.ids.at(-1) ?? ''
    await graph.record(event('rule:export', side(5), { source: 'agent', ...contradicts(said) }))
    const { insight, recommendation } = await graph.ask('夜間の請求書エクスポートは何時に実行される')
    for (const text of [insight, recommendation]) {
      expect(text.length).toBeLessThanOrEqual(8_000)
      expect(text).toContain('2時に')
      expect(text).toContain('5時に')
    }
  })

  test('what is stale is said to be', async () => {
    const graph = await graphs.graphOf(
      ...REST,
      event('sys:accounts', 'The accounting system locks its tables at three'),
    )
    const base = graph.ids.at(-1) ?? ''
    await graph.record(
      event('rule:export', `The nightly export of customer invoices must run at two${LONG}`, extending(base)),
    )
    await graph.record(
      event('sys:accounts', 'The accounting system no longer locks its tables', contradicts(base)),
    )
    const { insight, recommendation, reasons } = await graph.ask(TASK)
    expect(insight).toContain('What this builds on has been replaced since')
    expect(recommendation).toContain('must run at two')
    expect(reasons.filter((reason) => reason.includes('not relied on'))).toEqual([])
  })

  test('one that had to be cut is not high', async () => {
    const whole = 'The nightly export of customer invoices must run at two.'
    const more = Array.from({ length: 30 }, (_, i) => `Step ${i} copies the table of branch ${i}.`).join(' ')
    const ask = async (text: string) =>
      (await graphs.graphOf(...REST, event('rule:export', text))).ask('When must the nightly export run?')
    expect((await ask(whole)).level).toBe('high')
    const { insight, level, reasons } = await ask(`${whole} ${more}`)
    expect(insight).toContain('…')
    expect(level).not.toBe('high')
    expect(reasons).toContain('A memory was too long to be told whole.')
  })
})

test('what says nothing, and was recorded when that was possible, is no answer', async () => {
  const graph = await graphs.graphOf(
    ...['', null, [], '   ', { b: {} }].map((value) => event('topic:payments', '', { payload: { value } })),
  )
  expect(await graph.ask('payments')).toMatchObject({ evidence: [], level: 'low' })
})
