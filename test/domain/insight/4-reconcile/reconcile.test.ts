import { describe, expect, test } from 'vitest'
import { contradicts, event, extending, reinforces } from '../../../store/support.js'
import { roleOf, useGraphs } from '../support.js'

const graphs = useGraphs()
/** Enough of other things for words to weigh what they do in a graph of some size. */
const OTHERS = Array.from({ length: 10 }, (_, i) => event(`note:n${i}`, `Remark number ${i} on lunch.`))
const RUNNER = 'Which test runner does the web project use?'

describe('superseded', () => {
  test('what was replaced is shown as replaced, never told as current', async () => {
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
    expect(answer.insight).toContain('It replaces: The web project uses Jest as its test runner.')
    expect(answer.recommendation).toContain('Vitest')
    expect(answer.recommendation).not.toContain('Jest')
    expect(answer.reasons).toContain('1 memory was replaced and not relied on.')
  })

  test.each([
    ['a limit of one', { limit: 1 }],
    ['a filter', { scope: { types: ['decision'], contextIds: [] } }],
  ])('what replaced a memory is told in its place, whatever %s leaves out', async (_, more) => {
    const graph = await graphs.graphOf(
      event('decision:test_runner', 'The web project uses Jest as its test runner.'),
    )
    await graph.record(
      event('note:elsewhere', 'Moved to Vitest', { source: 'validator', ...contradicts(graph.ids[0] ?? '') }),
    )
    const answer = await graph.ask(RUNNER, more)
    expect(answer.evidence.map(({ role }) => role)).toEqual(['supports', 'superseded'])
    expect(answer.insight).toBe('Moved to Vitest\nIt replaces: The web project uses Jest as its test runner.')
    expect(answer.recommendation).toBe('Moved to Vitest')
  })

  test('a record against the context is told before the memory that it may mean, and neither is high', async () => {
    const graph = await graphs.graphOf(
      event('decision:test_runner', 'The web project uses Jest as its test runner.'),
      event('note:elsewhere', 'The runner of the web project is another one since May.', {
        source: 'user',
        ...contradicts('decision:test_runner'),
      }),
      ...OTHERS,
    )
    const [jest] = graph.ids
    const answer = await graph.ask(RUNNER)
    expect((await graph.memory(jest ?? '')).trust.status).toBe('current')
    expect(roleOf(answer, jest)).toBe('superseded')
    expect(answer.insight).toContain('Recorded before, and perhaps no longer so: The web project uses Jest')
    expect(answer.insight).toMatch(/^The runner of the web project is another one/)
    expect(answer.level).not.toBe('high')
  })

  test('a record against the context that answers something else is told behind the answer', async () => {
    const graph = await graphs.graphOf(
      event('person:lea', 'Lea prefers tea'),
      event('person:lea', 'Lea works from Lisbon'),
      event('person:lea', 'Lea prefers coffee now', contradicts('person:lea')),
      event('infra:cache', 'The cache runs on Redis'),
      event('team:retro', 'The retro is on Friday afternoon'),
    )
    expect((await graph.ask('Where does Lea work from?')).recommendation).toContain('Lea works from Lisbon')
    expect((await graph.ask('Where does Lea work from?')).insight).toMatch(/^[^\n]*Lea works from Lisbon/)
    expect((await graph.ask('What does Lea prefer to drink?')).insight).toMatch(/^Lea prefers coffee now/)
  })

  test('a chain of replacements leaves the last', async () => {
    const graph = await graphs.graphOf(
      event('decision:test_runner', 'The web project uses Mocha as its test runner.'),
      event(
        'decision:test_runner',
        'The web project uses Jest as its test runner.',
        contradicts('decision:test_runner'),
      ),
    )
    const [mocha, jest] = graph.ids
    const [vitest] = await graph.record(
      event(
        'decision:test_runner',
        'The web project uses Vitest as its test runner.',
        contradicts('decision:test_runner'),
      ),
    )
    const answer = await graph.ask(RUNNER)
    expect(answer.evidence[0]?.memory.memoryId).toBe(vitest)
    expect(roleOf(answer, jest)).toBe('superseded')
    expect(roleOf(answer, mocha)).not.toBe('supports')
    expect(answer.insight).toMatch(/^The web project uses Vitest/)
  })
})

describe('stale', () => {
  test('what builds on something replaced is said to, and is not passed off as current', async () => {
    const graph = await graphs.graphOf(
      event('fact:queue', 'The job queue runs on Redis.'),
      event(
        'skill:queue_backup',
        'Back up the job queue with a Redis dump every night.',
        extending('fact:queue'),
      ),
      event('fact:queue', 'The job queue runs on Postgres.', {
        source: 'user',
        ...contradicts('fact:queue'),
      }),
    )
    const [redis, backup, postgres] = graph.ids
    await graph.record(...OTHERS)
    const answer = await graph.ask('How do we back up the job queue every night with a dump?')
    expect((await graph.memory(backup ?? '')).trust.status).toBe('stale')
    expect(roleOf(answer, backup)).toBe('superseded')
    expect(roleOf(answer, redis)).not.toBe('supports')
    expect(roleOf(answer, postgres)).toBe('supports')
    expect(answer.insight).toContain('Back up the job queue with a Redis dump every night.')
    expect(answer.insight).toContain(
      'What this builds on has been replaced since, so it may no longer hold: Back up',
    )
    expect(answer.recommendation).toMatch(/^Check first that this still holds: /)
    expect(answer.reasons).toContain('It builds on something that has been replaced since.')
    expect(answer.level).not.toBe('high')
  })
})

describe('what shook a stale memory', () => {
  const PLAN = 'The Quillport route timing plan gives 14 trips per hour at 1.2 metres per second.'
  const LIMIT = 'Robots drive 1.2 metres per second in shared aisles.'
  const SLOWER = 'Robots drive 0.8 metres per second in shared aisles.'
  const ASKED = 'Can I promise 14 trips per hour from the Quillport route timing plan?'
  const SHAKEN = `What this builds on has been replaced since, so it may no longer hold: ${PLAN}
What it builds on was replaced by: ${SLOWER}`
  const slower = event('safety:speed', SLOWER, { source: 'user', ...contradicts('safety:speed') })

  test.each([
    ['its context', (_: string) => 'safety:speed'],
    ['its id', (id: string) => id],
  ])('is told behind it, where it names %s', async (_, target) => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    const [limit = ''] = graph.ids
    await graph.record(event('site:quillport', PLAN, extending(target(limit))), slower)
    const answer = await graph.ask(ASKED)
    expect(answer.insight).toBe(SHAKEN)
    expect(answer.recommendation).toBe(`Check first that this still holds: ${PLAN}\n${SLOWER}`)
    expect(answer.level).not.toBe('high')
  })

  test.each([
    ['a limit of one', { limit: 1 }],
    ['a filter', { scope: { types: ['site'], contextIds: [] } }],
  ])('is told whatever %s leaves out', async (_, more) => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    await graph.record(event('site:quillport', PLAN, extending('safety:speed')), slower)
    expect((await graph.ask(ASKED, more)).insight).toBe(SHAKEN)
  })

  test('is told where the memory builds on it through another one', async () => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    await graph.record(event('route:timing', 'A lap takes four minutes.', extending('safety:speed')))
    await graph.record(event('site:quillport', PLAN, extending(graph.ids.at(-1) ?? '')), slower)
    expect((await graph.ask(ASKED)).insight).toBe(SHAKEN)
  })

  test('is told once, however many build on what it replaced', async () => {
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

  test('is told where it is what stood before, and was stated again', async () => {
    const graph = await graphs.graphOf(event('db:main', 'Orders are kept in MySQL.'), ...OTHERS)
    const [mysql = ''] = graph.ids
    const [postgres = ''] = await graph.record(
      event('db:main', 'Orders are kept in PostgreSQL.', contradicts(mysql)),
    )
    await graph.record(event('skill:backup', 'Back up the orders with pg_dump.', extending(postgres)))
    await graph.record(event('db:main', 'Orders are kept in MySQL.', contradicts(postgres)))
    const { insight } = await graph.ask('How do I back up the orders with pg_dump?')
    expect(insight).toContain('may no longer hold: Back up the orders with pg_dump.')
    expect(insight).toContain('What it builds on was replaced by: Orders are kept in MySQL.')
  })

  test('is told beside the record that contests the memory, each as what it is', async () => {
    const graph = await graphs.graphOf(event('safety:speed', LIMIT), ...OTHERS)
    await graph.record(
      event('site:quillport', PLAN, extending('safety:speed')),
      slower,
      event('site:quillport', 'The plan for the route at Quillport is void.', contradicts('site:quillport')),
    )
    const { insight } = await graph.ask(ASKED)
    expect(insight).toContain(`Recorded before, and perhaps no longer so: ${PLAN}`)
    expect(insight).toContain('The plan for the route at Quillport is void.')
    expect(insight).toContain(`What it builds on was replaced by: ${SLOWER}`)
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

describe('a change that was not recorded as one', () => {
  const DIFFERING =
    'Another record of this context says the same but for one thing, and neither says that it replaces the other.'
  const [BERLIN, HAMBURG] = ['The office is in Berlin.', 'The office is in Hamburg.']
  const ASKED = 'Where is the office?'

  test('the latest leads, the former is told as that, and nothing of it is high or advised', async () => {
    const graph = await graphs.graphOf(event('office:main', BERLIN), ...OTHERS)
    const before = await graph.ask(ASKED)
    expect(before.level).toBe('high')
    await graph.record(event('office:main', HAMBURG))
    const after = await graph.ask(ASKED)
    expect(after.insight).toBe(`${HAMBURG}\nRecorded before: ${BERLIN}`)
    expect(after.recommendation).toBe(HAMBURG)
    expect(after.reasons).toContain(DIFFERING)
    expect(after.level).not.toBe('high')
    expect(after.score).toBeLessThan(before.score)
  })

  test('where one may be told, it is the latest, and no surer for that', async () => {
    const graph = await graphs.graphOf(event('office:main', BERLIN), event('office:main', HAMBURG), ...OTHERS)
    const answer = await graph.ask(ASKED, { limit: 1 })
    expect(answer.insight).toBe(HAMBURG)
    expect(answer.evidence).toHaveLength(1)
    expect(answer.reasons).toContain(DIFFERING)
    expect(answer.level).not.toBe('high')
  })

  test('the most trusted leads, however late another came', async () => {
    const graph = await graphs.graphOf(
      event('office:main', BERLIN, { source: 'validator' }),
      event('office:main', HAMBURG),
      ...OTHERS,
    )
    expect((await graph.ask(ASKED)).insight).toBe(`${BERLIN}\nRecorded later: ${HAMBURG}`)
  })

  test('what is stated again is the latest', async () => {
    const graph = await graphs.graphOf(event('office:main', BERLIN), event('office:main', HAMBURG), ...OTHERS)
    await graph.record(event('office:main', BERLIN))
    expect((await graph.ask(ASKED)).insight).toMatch(/^The office is in Berlin\.\nRecorded before: /)
  })

  test('once it says so, only what stands is told as current, and it is high again', async () => {
    const graph = await graphs.graphOf(event('office:main', BERLIN), event('office:main', HAMBURG), ...OTHERS)
    const [berlin = ''] = graph.ids
    await graph.record(event('office:main', HAMBURG, contradicts(berlin)))
    const answer = await graph.ask(ASKED)
    expect(answer.insight).toBe(`${HAMBURG}\n1 later record agrees.\nIt replaces: ${BERLIN}`)
    expect(answer.level).toBe('high')
  })

  test('of two contexts, each has its own', async () => {
    const graph = await graphs.graphOf(event('firm:a', BERLIN), event('firm:b', HAMBURG), ...OTHERS)
    const { insight } = await graph.ask(ASKED)
    expect(insight).not.toContain('Recorded')
  })
})

describe('a record against the context', () => {
  const words = (topic: string) =>
    `${topic} ${Array.from({ length: 44 }, (_, i) => `and the check number ${i}`).join(' ')}`

  test('is told with the memory that it may mean, however long the two are', async () => {
    const graph = await graphs.graphOf(
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
    expect(insight).toContain('A later record may contradict this: Double charges on Android')
    expect(insight).toContain('That record: Retries of the payment library are the cause')
  })

  test('of several the latest leads', async () => {
    const graph = await graphs.graphOf(
      event('file:templates', 'Contract templates sit on the file server'),
      ...OTHERS,
    )
    for (const place of ['Box', 'iManage'])
      await graph.record(
        event('file:templates', `Templates for a contract were brought to ${place}`, {
          source: 'user',
          ...contradicts('file:templates'),
        }),
      )
    expect((await graph.ask('Where are the contract templates?')).insight).toMatch(/^Templates .* iManage/)
  })

  test.each([
    ['', ''],
    [' and so on'.repeat(30), ' and so forth'.repeat(30)],
  ])('leads if it answers the question itself, with what it may contradict', async (more, further) => {
    const graph = await graphs.graphOf(
      event('file:templates', `Contract templates sit on the file server${more}`),
      event('file:templates', 'New templates are approved by Greta'),
      ...OTHERS,
    )
    await graph.record(
      event('file:templates', `Contract templates were brought to iManage${further}`, {
        source: 'user',
        ...contradicts('file:templates'),
      }),
    )
    const { insight, level } = await graph.ask('Where are the contract templates?')
    expect(insight).toMatch(/^Contract templates were brought to iManage/)
    expect(insight).toContain(
      'Recorded before, and perhaps no longer so: Contract templates sit on the file server',
    )
    expect(level).not.toBe('high')
  })
})

describe('expired', () => {
  const FREEZE = 'No release of the payments service goes out during the audit.'
  const ASKED = 'Can a release of the payments service go out during the audit?'

  test.each([
    ['2020-01-05T00:00:00.000Z', '2020-01-05'],
    ['2020-01-05T17:30:00.000Z', '2020-01-05 17:30 UTC'],
  ])('what was valid until %s is told as that, and is not high', async (validUntil, moment) => {
    const freeze = event('decision:freeze', FREEZE, { source: 'user' })
    const [before, after] = [await graphs.graphOf(freeze), await graphs.graphOf({ ...freeze, validUntil })]
    for (const graph of [before, after]) await graph.record(...OTHERS)
    expect((await before.ask(ASKED)).level).toBe('high')
    const answer = await after.ask(ASKED)
    expect(roleOf(answer, after.ids[0])).toBe('superseded')
    expect(answer.insight).toContain(`This was valid until ${moment}: ${FREEZE}`)
    expect(answer.recommendation).toBe(`Check first that this still holds: ${FREEZE}`)
    expect(answer.reasons).toContain(`It was valid until ${moment}, and later events are recorded.`)
    expect(answer.reasons.join()).not.toContain('replaced')
    expect(answer.level).not.toBe('high')
  })

  test('what has not run out is told like anything else', async () => {
    const graph = await graphs.graphOf(
      event('decision:freeze', FREEZE, { source: 'user', validUntil: '9999-01-01T00:00:00.000Z' }),
    )
    await graph.record(...OTHERS)
    const answer = await graph.ask(ASKED)
    expect([answer.insight, answer.level]).toEqual([FREEZE, 'high'])
  })
})

describe('an open contradiction', () => {
  const open = () =>
    graphs.graphOf(
      event('fact:limit', 'The upload limit is 20 megabytes.', { source: 'validator' }),
      event('fact:limit', 'The upload limit is 50 megabytes.', contradicts('fact:limit')),
    )

  test('says both sides, and recommends the check', async () => {
    const graph = await open()
    const answer = await graph.ask('What is the upload limit?')
    const [first, second] = graph.ids
    expect((await graph.memory(first ?? '')).trust).toMatchObject({ status: 'current', disputedBy: [second] })
    expect(answer.evidence.map(({ role }) => role).sort()).toEqual(['contradicts', 'supports'])
    for (const said of [answer.insight, answer.recommendation]) {
      expect(said).toContain('20 megabytes')
      expect(said).toContain('50 megabytes')
    }
    expect(answer.insight).toContain('Against this: ')
    expect(answer.recommendation).toMatch(/^Sides disagree: check which holds before acting/)
    expect(answer.reasons).toContain('1 memory disagrees, and nothing has settled which is right.')
    expect(answer.level).not.toBe('high')
  })

  test.each([
    ['a limit of one', { limit: 1 }],
    ['a filter', { scope: { types: ['fact'], contextIds: [] } }],
  ])('says both sides, whatever %s leaves out', async (_, more) => {
    const graph = await graphs.graphOf(
      event('fact:limit', 'The upload limit is 20 megabytes.', { source: 'validator' }),
      ...OTHERS,
    )
    await graph.record(event('note:elsewhere', 'It is 50 now', contradicts(graph.ids[0] ?? '')))
    const answer = await graph.ask('What is the upload limit?', more)
    expect(answer.insight).toBe('The upload limit is 20 megabytes.\nAgainst this: It is 50 now')
    expect(answer.evidence.map(({ role }) => role)).toEqual(['supports', 'contradicts'])
    expect(answer.recommendation).toContain('On the other: It is 50 now')
  })

  test('of a thousand other sides the latest are told', async () => {
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

  test('about something told by the way is told as such, and takes no advice from the lead', async () => {
    const graph = await graphs.graphOf(
      event('fact:limit', 'The upload limit for pictures is 20 megabytes.', { source: 'validator' }),
      event('fact:other', 'The upload limit for films is 900 megabytes.', { source: 'validator' }),
      ...OTHERS,
    )
    await graph.record(event('note:elsewhere', 'It is a gigabyte now', contradicts(graph.ids[1] ?? '')))
    const answer = await graph.ask('What is the upload limit?')
    expect(answer.insight.split('\n')).toEqual([
      'The upload limit for pictures is 20 megabytes.',
      'The upload limit for films is 900 megabytes.',
      'Against this: It is a gigabyte now',
    ])
    expect(answer.recommendation).toBe('The upload limit for pictures is 20 megabytes.')
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

  test('is never high, however well the words fit', async () => {
    const graph = await open()
    await graph.record(...Array.from({ length: 9 }, (_, i) => event(`note:n${i}`, `Unrelated remark ${i}.`)))
    expect((await graph.ask('upload limit megabytes')).level).not.toBe('high')
  })

  test('is settled by a later memory of more weight', async () => {
    const graph = await open()
    const [third] = await graph.record(
      event('fact:limit', 'The upload limit is 20 megabytes, measured.', {
        source: 'validator',
        ...contradicts(graph.ids[1] ?? ''),
      }),
    )
    const answer = await graph.ask('What is the upload limit?')
    expect(roleOf(answer, graph.ids[1])).toBe('superseded')
    expect(roleOf(answer, third)).not.toBe('contradicts')
    expect(answer.recommendation).not.toMatch(/disagree/)
  })
})

describe('an open contradiction that was settled since', () => {
  test('a source that ranks as high states one side again: the other is replaced', async () => {
    const FIRST = event('fact:limit', 'The upload limit is 20 megabytes.', { source: 'agent' })
    const NEWER = event('fact:limit', 'The upload limit is 50 megabytes.', {
      source: 'system',
      ...contradicts('fact:limit'),
    })
    const graph = await graphs.graphOf(FIRST, NEWER, ...OTHERS)
    const [first, newer] = graph.ids
    expect((await graph.memory(first ?? '')).trust).toMatchObject({ status: 'current', disputedBy: [newer] })
    await graph.record({ ...NEWER, source: 'validator', links: [] })
    const answer = await graph.ask('What is the upload limit?')
    expect((await graph.memory(first ?? '')).trust).toMatchObject({
      status: 'superseded',
      supersededBy: [newer],
    })
    expect(roleOf(answer, first)).toBe('superseded')
    expect(answer.insight).toMatch(/^The upload limit is 50/)
    expect(answer.insight).not.toContain('Against this')
    expect(answer.recommendation).not.toContain('20 megabytes')
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
    expect(answer.reasons).toContain('1 memory builds on what it says.')
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
      event('note:audit', 'The audit saw it done.', reinforces(rule)),
      event('note:review', 'So did the review.', reinforces(rule)),
    )
    const answer = await graph.ask('How often do we rotate the signing keys of the gateway?')
    expect(answer.insight).toContain('2 later records agree.')
    expect(answer.reasons).toContain('2 later records agree with it.')
    expect(answer.evidence[0]).toMatchObject({ role: 'supports', memory: { trust: { agreement: 2 } } })
  })

  test('so is the same event again', async () => {
    const rule = event('rule:signing_keys', 'Rotate the signing keys of the gateway every month.')
    const graph = await graphs.graphOf(rule, rule)
    const answer = await graph.ask('How often do we rotate the signing keys of the gateway?')
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
  const askAfter = async (...said: readonly [string, string, string]) => {
    const [first, ...later] = said.map((decision) => ({ payload: { decision } }))
    const against = contradicts('decision:database')
    const graph = await graphs.graphOf(
      ...OTHERS,
      event('decision:database', '', { ...first }),
      ...later.map((more) => event('decision:database', '', { ...more, ...against })),
    )
    return graph.ask(TASK)
  }

  test('what names the thing that it gives up is no agreement with it: the last decision stands', async () => {
    const { insight } = await askAfter(
      'We use MySQL for orders',
      'We use PostgreSQL for orders',
      'Orders go back to MySQL, PostgreSQL was too slow',
    )
    expect(insight).toMatch(/^decision: Orders go back to MySQL/)
    expect(insight).not.toMatch(/^decision: We use PostgreSQL/m)
  })

  test('where it is not sure what the last decision means, nothing is called high', async () => {
    const { level, insight } = await askAfter(
      'we use mysql for orders',
      'we use postgresql for orders',
      'orders go back to mysql, postgresql was too slow',
    )
    expect(insight).toContain('orders go back to mysql')
    expect(level).not.toBe('high')
  })
})
