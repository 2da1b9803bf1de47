import { describe, expect, test } from 'vitest'
import { contradicts, event, extending, reinforces } from '../../store/support.js'
import { roleOf, SURE, useGraphs } from './support.js'

const graphs = useGraphs()
/** Enough of other things for words to weigh what they do in a graph of some size. */
const OTHERS = Array.from({ length: 10 }, (_, i) => event(`note:n${i}`, `Remark number ${i} on lunch.`))
const RUNNER = 'Which test runner does the web project use?'

describe('superseded', () => {
  test('what was replaced is shown as what was before, never as current', async () => {
    const graph = await graphs.graphOf(
      event('decision:test_runner', 'The web project uses Jest as its test runner.'),
      event('decision:test_runner', 'The web project uses Vitest as its test runner.', {
        source: 'user',
        ...contradicts('decision:test_runner'),
      }),
    )
    const [jest, vitest] = graph.ids
    const answer = await graph.ask(RUNNER)
    expect(roleOf(answer, jest)).toBe('superseded')
    expect(roleOf(answer, vitest)).toBe('supports')
    expect(answer.insight).toMatch(/^The web project uses Vitest/)
    expect(answer.insight).toContain('\nBefore: The web project uses Jest as its test runner.')
    expect(answer.recommendation).not.toContain('Jest')
    expect(answer.reasons).toContain('1 memory was replaced and not relied on.')
  })

  test.each([
    ['a limit of one', { limit: 1 }],
    ['a filter', { scope: { types: ['decision'], contextIds: [] } }],
  ])('what replaced a memory is shown in its place, whatever %s leaves out', async (_, more) => {
    const graph = await graphs.graphOf(
      event('decision:test_runner', 'The web project uses Jest as its test runner.'),
    )
    await graph.record(
      event('note:elsewhere', 'Moved to Vitest', { source: 'validator', ...contradicts(graph.ids[0] ?? '') }),
    )
    const answer = await graph.ask(RUNNER, more)
    expect(answer.evidence.map(({ role }) => role)).toEqual(['supports', 'superseded'])
    expect(answer.firstLine).toBe('note elsewhere: Moved to Vitest')
    expect(answer.insight).toMatch(/^Before: .*The web project uses Jest as its test runner\.$/m)
  })

  test('a record against the context is shown with the memory that it may mean, which is not high', async () => {
    const graph = await graphs.graphOf(
      event('decision:test_runner', 'Snapshots are not committed.'),
      event('decision:test_runner', 'The web project uses Jest as its test runner.'),
      event('note:elsewhere', 'The runner of the web project is another one since May.', {
        source: 'user',
        ...contradicts('decision:test_runner'),
      }),
      ...OTHERS,
    )
    const [, jest] = graph.ids
    const answer = await graph.ask(RUNNER, { models: SURE })
    expect((await graph.memory(jest ?? '')).trust.status).toBe('current')
    expect(answer.insight).toMatch(/^The web project uses Jest/m)
    expect(answer.insight).toMatch(/^A later record may contradict this: .*is another one since May/m)
    expect(answer.level).not.toBe('high')
    expect(roleOf(answer, jest)).toBe('superseded')
  })
})

describe('what shook a stale memory', () => {
  const PLAN = 'The Quillport route timing plan gives 14 trips per hour at 1.2 metres per second.'
  const LIMIT = 'Robots drive 1.2 metres per second in shared aisles.'
  const SLOWER = 'Robots drive 0.8 metres per second in shared aisles.'
  const ASKED = 'Can I promise 14 trips per hour from the Quillport route timing plan?'
  const SHAKEN = `${PLAN}\nWhat it builds on was replaced by: safety speed: ${SLOWER}`
  const slower = event('safety:speed', SLOWER, { source: 'user', ...contradicts('safety:speed') })

  test.each([
    ['its context', (_: string) => 'safety:speed'],
    ['its id', (id: string) => id],
  ])('is shown behind it, where it names %s', async (_, target) => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    const [limit = ''] = graph.ids
    await graph.record(event('site:quillport', PLAN, extending(target(limit))), slower)
    const answer = await graph.ask(ASKED)
    expect(answer.insight).toBe(SHAKEN)
    expect(answer.recommendation).toMatch(/^Check first, since what it builds on was replaced/)
    expect(answer.reasons).toContain('It builds on something that has been replaced since.')
    expect(answer.level).not.toBe('high')
  })

  test.each([
    ['a limit of one', { limit: 1 }],
    ['a filter', { scope: { types: ['site'], contextIds: [] } }],
  ])('is shown whatever %s leaves out', async (_, more) => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    await graph.record(event('site:quillport', PLAN, extending('safety:speed')), slower)
    expect((await graph.ask(ASKED, more)).insight).toBe(SHAKEN)
  })

  test('is shown where the memory builds on it through another one', async () => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    await graph.record(event('route:timing', 'A lap takes four minutes.', extending('safety:speed')))
    await graph.record(event('site:quillport', PLAN, extending(graph.ids.at(-1) ?? '')), slower)
    expect((await graph.ask(ASKED)).insight).toBe(SHAKEN)
  })

  test('is shown once, however many build on what it replaced', async () => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    await graph.record(
      event('site:quillport', PLAN, extending('safety:speed')),
      event('site:greyfen', PLAN.replace('Quillport', 'Greyfen'), extending('safety:speed')),
      slower,
    )
    const scope = { types: ['site'], contextIds: [] }
    const { insight, evidence } = await graph.ask(ASKED, { scope })
    expect(insight.split(SLOWER)).toHaveLength(2)
    expect(new Set(evidence.map(({ memory }) => memory.memoryId)).size).toBe(evidence.length)
  })

  test('is shown where it is what stood before, and was stated again', async () => {
    const graph = await graphs.graphOf(event('db:main', 'Orders are kept in MySQL.'), ...OTHERS)
    const [mysql = ''] = graph.ids
    const [postgres = ''] = await graph.record(
      event('db:main', 'Orders are kept in PostgreSQL.', contradicts(mysql)),
    )
    await graph.record(event('skill:backup', 'Back up the orders with pg_dump.', extending(postgres)))
    await graph.record(event('db:main', 'Orders are kept in MySQL.', contradicts(postgres)))
    const { insight } = await graph.ask('How do I back up the orders with pg_dump?')
    expect(insight).toContain('Back up the orders with pg_dump.')
    expect(insight).toContain('\nWhat it builds on was replaced by: db main: Orders are kept in MySQL.')
  })

  test('is shown beside the record that contests the memory, each as what it is', async () => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    await graph.record(
      event('site:quillport', PLAN, extending('safety:speed')),
      slower,
      event('site:quillport', 'The plan for the route at Quillport is void.', contradicts('site:quillport')),
    )
    const { insight } = await graph.ask(ASKED)
    expect(insight).toContain(SHAKEN)
    expect(insight).toContain(
      '\nA later record may contradict this: The plan for the route at Quillport is void.',
    )
  })

  test('is what replaced the thing that the memory builds on, not another of its context', async () => {
    const graph = await graphs.graphOf(
      event('safety:speed', LIMIT),
      event('safety:speed', 'The blue light blinks twice a second.'),
      ...OTHERS,
    )
    const [limit = '', light = ''] = graph.ids
    await graph.record(
      event('site:quillport', PLAN, extending(limit)),
      slower,
      event('safety:speed', 'The blue light blinks once a second.', contradicts(light)),
    )
    expect((await graph.ask(ASKED)).insight).toBe(SHAKEN)
  })
})

describe('a record against the context', () => {
  const words = (topic: string) =>
    `${topic} ${Array.from({ length: 44 }, (_, i) => `and the check number ${i}`).join(' ')}`

  test('is shown with the memory that it may mean, however long the two are', async () => {
    const graph = await graphs.graphOf(
      event('issue:double_charge', 'Ada looks into it.'),
      event('issue:double_charge', words('Double charges on Android come from people tapping twice'), {
        source: 'user',
      }),
      ...OTHERS,
    )
    await graph.record(
      event('issue:double_charge', words('Retries of the payment library are the cause'), {
        source: 'agent',
        ...contradicts('issue:double_charge'),
      }),
    )
    const { insight } = await graph.ask('What do double charges on Android come from, people tapping twice?')
    expect(insight).toMatch(/^Double charges on Android/)
    expect(insight).toContain(
      '\nA later record may contradict this: Retries of the payment library are the cause',
    )
  })

  test('is shown with the memory that it may mean, though that is not the latest of its context', async () => {
    const graph = await graphs.graphOf(
      event('decision:test_runner', 'The web project uses Jest as its test runner.'),
      event('decision:test_runner', 'Snapshots are not committed.'),
      ...OTHERS,
    )
    const remark = 'The runner of the web project is another one since May.'
    await graph.record(event('note:elsewhere', remark, contradicts('decision:test_runner')))
    const { insight } = await graph.ask(RUNNER)
    expect(insight).toMatch(/^The web project uses Jest/)
    expect(insight).toContain('\nA later record may contradict this: ')
    expect(insight).toContain(remark)
  })

  test('of several the latest is shown', async () => {
    const graph = await graphs.graphOf(
      event('file:templates', 'Contract templates sit on the file server'),
      event('file:templates', 'Invoices are printed on letterhead'),
      ...OTHERS,
    )
    const [server = ''] = graph.ids
    for (const place of ['Box', 'iManage'])
      await graph.record(
        event('file:templates', `Templates for a contract were brought to ${place}`, {
          source: 'user',
          ...contradicts('file:templates'),
        }),
      )
    expect((await graph.memory(server)).trust.status).toBe('current')
    expect((await graph.ask('Where are the contract templates?')).insight).toContain('iManage')
  })
})

describe('an open contradiction', () => {
  test.each([
    ['a limit of one', { limit: 1 }],
    ['a filter', { scope: { types: ['fact'], contextIds: [] } }],
  ])('shows both sides, whatever %s leaves out', async (_, more) => {
    const graph = await graphs.graphOf(
      event('fact:limit', 'The upload limit is 20 megabytes.', { source: 'validator' }),
      ...OTHERS,
    )
    await graph.record(event('note:elsewhere', 'It is 50 now', contradicts(graph.ids[0] ?? '')))
    const answer = await graph.ask('What is the upload limit?', more)
    expect(answer.firstLine).toContain('The upload limit is 20 megabytes.')
    expect(answer.insight).toMatch(/^Against this: .*It is 50 now$/m)
    expect(answer.evidence.map(({ role }) => role)).toEqual(['supports', 'contradicts'])
  })

  test('of a thousand other sides the latest are evidence', async () => {
    const graph = await graphs.graphOf(
      event('fact:limit', 'The upload limit is 20 megabytes.', { source: 'validator' }),
    )
    const id = graph.ids[0] ?? ''
    await graph.record(
      ...Array.from({ length: 1000 }, (_, i) =>
        event('note:elsewhere', `I got ${i} through`, contradicts(id)),
      ),
    )
    const answer = await graph.ask('What is the upload limit?', { limit: 1 })
    expect(answer.evidence.map(({ memory }) => memory.text).slice(1)).toEqual(
      [997, 998, 999].map((i) => `I got ${i} through`),
    )
  })

  test('no more is evidence than an answer has room for', async () => {
    const stated = Array.from({ length: 60 }, (_, i) =>
      event('fact:limit', `The upload limit of plan ${i} is ${i} megabytes.`, { source: 'validator' }),
    )
    const graph = await graphs.graphOf(...stated)
    await graph.record(
      ...graph.ids.map((id, i) => event('note:elsewhere', `Got ${i} more through`, contradicts(id))),
    )
    const { evidence } = await graph.ask('What is the upload limit of a plan in megabytes?', { limit: 100 })
    expect(evidence).toHaveLength(100)
  })
})

describe('extension', () => {
  test('adds detail to what is stronger', async () => {
    const graph = await graphs.graphOf(
      event('rule:signing_keys', 'Rotate the signing keys of the gateway every month.'),
      event('detail:vault', 'The gateway keys live in the vault.', extending('rule:signing_keys')),
    )
    const answer = await graph.ask('How often do we rotate the signing keys of the gateway?')
    expect(answer.evidence.map(({ role }) => role)).toEqual(['supports', 'extends'])
  })

  test('of a single memory, too', async () => {
    const graph = await graphs.graphOf(
      event('rule:signing_keys', 'Rotate the signing keys of the gateway every month.'),
    )
    const [detail] = await graph.record(
      event('detail:vault', 'The gateway keys live in the vault.', extending(graph.ids[0] ?? '')),
    )
    await graph.record(...OTHERS)
    expect(roleOf(await graph.ask('How often do we rotate the signing keys of the gateway?'), detail)).toBe(
      'extends',
    )
  })
})

describe('reinforcement', () => {
  test('is counted as agreement', async () => {
    const graph = await graphs.graphOf(
      event('rule:signing_keys', 'Rotate the signing keys of the gateway every month.'),
    )
    const [rule = ''] = graph.ids
    await graph.record(
      event('note:audit', 'The audit saw it done.', { ...reinforces(rule), recordedBy: 'key_1' }),
      event('note:review', 'So did the review.', { ...reinforces(rule), recordedBy: 'key_2' }),
      event('note:echo', 'Again, so did the review.', { ...reinforces(rule), recordedBy: 'key_2' }),
    )
    const answer = await graph.ask('How often do we rotate the signing keys of the gateway?')
    expect(answer.insight).toContain('2 later records agree.')
    expect(answer.reasons).toContain('2 later records agree with it.')
    expect(answer.evidence[0]).toMatchObject({ role: 'supports', memory: { trust: { agreement: 2 } } })
  })

  test('so is the same event again by another key', async () => {
    const rule = event('rule:signing_keys', 'Rotate the signing keys of the gateway every month.')
    const graph = await graphs.graphOf(rule, rule)
    const asked = 'How often do we rotate the signing keys of the gateway?'
    expect((await graph.ask(asked)).insight).not.toContain('agree')
    await graph.record({ ...rule, recordedBy: 'key_1' })
    const answer = await graph.ask(asked)
    expect(answer.insight).toContain('1 later record agrees.')
    expect(answer.evidence).toHaveLength(1)
  })
})

test('relevance is beside the best, which has 1, and falls', async () => {
  const graph = await graphs.graphOf(
    event('rule:signing_keys', 'Rotate the signing keys of the gateway every month.'),
    event('note:keys', 'Some keys are long.'),
    event('note:gateway', 'The gateway was renamed.'),
  )
  const { evidence } = await graph.ask('How often do we rotate the signing keys of the gateway?')
  const relevance = evidence.map((item) => item.relevance)
  expect(relevance[0]).toBe(1)
  expect(relevance).toEqual([...relevance].sort((a, b) => b - a))
  expect(Math.min(...relevance)).toBeGreaterThan(0)
})

describe('a mind that is changed back', () => {
  const TASK = 'Which database do we use for orders?'
  const askAfter = async (...said: readonly { readonly [field: string]: string }[]) => {
    const against = contradicts('decision:database')
    const [first = {}, ...later] = said
    const graph = await graphs.graphOf(
      ...OTHERS,
      event('decision:database', 'The nightly dumps are kept for a week'),
      event('decision:database', '', { payload: first }),
      ...later.map((payload) => event('decision:database', '', { payload, ...against })),
    )
    return graph.ask(TASK)
  }

  test('what names the thing that it gives up is no agreement with it: the last decision stands', async () => {
    const { insight } = await askAfter(
      { decision: 'We use MySQL for orders' },
      { decision: 'We use PostgreSQL for orders' },
      { decision: 'Orders go back to MySQL, PostgreSQL was too slow' },
    )
    expect(insight).toContain('Orders go back to MySQL')
    expect(insight).not.toMatch(/^decision: We use PostgreSQL/m)
  })

  test('where it is not sure what the last decision means, nothing is called high', async () => {
    const { level, insight } = await askAfter(
      { text: 'we use mysql for orders' },
      { text: 'we use postgresql for orders' },
      { text: 'orders go back to mysql, postgresql was too slow' },
    )
    expect(insight).toContain('orders go back to mysql')
    expect(level).not.toBe('high')
  })
})
