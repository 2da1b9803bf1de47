import { beforeAll, describe, expect, test } from 'vitest'
import type { NewMemory } from '../../../src/domain/model.js'
import { contradicts, event, extending } from '../../store/support.js'
import { type Graph, LONE_SURROGATE, SURE, UNSURE, useGraphs } from './support.js'

/** Everything here is found by the encoder and read by the reader that ship. */
const graphs = useGraphs({ isRead: true })

/** A sentence of a user. */
function said(contextId: string, text: string, more: Partial<NewMemory> = {}): NewMemory {
  return event(contextId, text, { source: 'user', ...more })
}

const HOUSE = [
  said('building:linden', 'Bins are collected on Tuesday morning; put them out on Monday evening.'),
  said('building:linden', 'Spare keys for the cellar are with Mrs Novak on the second floor.'),
  said('flat:7', 'The bathroom tap in flat 7 drips; the plumber comes on Thursday.'),
  said('contractor:plumber', 'Our plumber is Bader & Sons, call 040 998877 before ten.'),
  said('contractor:lift', 'The lift is serviced by Kone every March; contract number K-20331.'),
  said('house:wifi', 'The guest wifi password is blue-lagoon-42'),
  said('person:anna', 'Anna is allergic to peanuts'),
  said('bank:mortgage', 'The mortgage rate is 2.9 % until 2031'),
]

describe('everyday questions', () => {
  let house: Graph
  beforeAll(async () => {
    house = await graphs.graphOf(...HOUSE)
  })

  test.each([
    ['When do I put the bins out?', /Monday evening/],
    ['Where is the spare key?', /Mrs Novak/],
    ['What is the contract number of the lift?', /K-20331/],
    ['Which plumber do we call?', /040 998877/],
    ['What is the guest wifi password?', /blue-lagoon-42/],
    ['What is the mortgage rate?', /2\.9 %/],
  ])('the first line answers, surely: %s', async (question, answer) => {
    const { firstLine, level } = await house.ask(question)
    expect(firstLine).toMatch(answer)
    expect(level).toBe('high')
  })

  test.each([
    ['Which nuts must our daughter avoid?', /peanuts/],
    ['What is the network code for visitors?', /blue-lagoon-42/],
    ['How much interest do we pay?', /2\.9 %/],
    ['Who do I ring about a leak?', /Bader & Sons/],
  ])('the first line answers what is asked in other words: %s', async (question, answer) => {
    expect((await house.ask(question)).firstLine).toMatch(answer)
  })

  test.each([
    'What is the capital of Peru?',
    'Which wine goes with fish?',
    'Why is the login page slow?',
    'stop',
  ])('what is not recorded is said not to be, low, with where to record it: %s', async (question) => {
    const { insight, recommendation, level, answered } = await house.ask(question)
    expect(insight).toMatch(/^Nothing recorded answers this\.(\nNearest: .+)?$/)
    expect(recommendation).toMatch(/^Once you find out, record it.*: “/)
    expect(recommendation).toContain(question)
    expect([level, answered]).toEqual(['low', false])
  })

  test('where something is near, it is shown, and its context is where to record', async () => {
    const question = "What is Mrs Novak's phone number?"
    const { insight, recommendation, level } = await house.ask(question, { models: UNSURE })
    expect(insight).toContain('\nNearest: building linden: Spare keys for the cellar are with Mrs Novak')
    expect(recommendation).toContain('record it under building:linden')
    expect(level).toBe('low')
  })

  test.each([
    "What is Mrs Novak's phone number?",
    'What does Anna earn?',
    'Who is the tenant of flat 7?',
    'What is the colour of the lift?',
  ])('what is not recorded of something that is, is never high: %s', async (question) => {
    expect((await house.ask(question)).level).not.toBe('high')
  })
})

describe('the first line', () => {
  test('is the sentence of a long note that answers, in at most 200 characters', async () => {
    const steps = Array.from({ length: 12 }, (_, i) => `Step ${i} copies the table of branch ${i}.`)
    const note = [...steps.slice(0, 6), 'The export is started by Henrik Dahl at two.', ...steps.slice(6)]
    const graph = await graphs.graphOf(...HOUSE, said('note:nightly', note.join(' ')))
    const { firstLine } = await graph.ask('Who starts the export?')
    expect(firstLine).toContain('Henrik Dahl')
    expect(firstLine.length).toBeLessThanOrEqual(200)
  })

  test.each([
    ['one word', `zirconium ${'x'.repeat(500)}`],
    ['emoji', `zirconium ${'😀'.repeat(500)}`],
    ['a script without spaces', `ジルコニウムは${'夜間に溶かされる'.repeat(80)}。`],
    ['lines', `zirconium\n${'melts\n'.repeat(200)}`],
  ])('has at most 200 characters of %s, and no half of one', async (_, text) => {
    const graph = await graphs.graphOf(...HOUSE, said('metal:zirconium', text))
    for (const question of ['zirconium', 'What is known about zirconium?', 'ジルコニウム']) {
      const { firstLine, insight } = await graph.ask(question)
      expect(firstLine.length).toBeLessThanOrEqual(200)
      expect(insight).not.toMatch(LONE_SURROGATE)
    }
  })

  test('names its subject, by the names that its memories give it, unless the text does', async () => {
    const graph = await graphs.graphOf(
      ...HOUSE,
      event('patient:bed_3', '', { payload: { name: 'Mr Olsen' } }),
      event('patient:bed_3', '', { payload: { medication: 'doxycycline' } }),
    )
    expect((await graph.ask('Which medication does Mr Olsen get?')).firstLine).toBe(
      'patient bed 3 (Mr Olsen): medication: doxycycline',
    )
    expect((await graph.ask('What is the guest wifi password?')).firstLine).toBe(
      'The guest wifi password is blue-lagoon-42',
    )
  })
})

describe('what was replaced', () => {
  const CLUB = [
    said('club:rowing', 'Training is on Tuesday and Thursday at 18:30 at the boathouse.'),
    said('person:nele', 'Nele is the treasurer of the rowing club.'),
    said('money:fees', 'Membership is 180 euros a year.'),
    said('club:rowing', 'Training is on Tuesday and Friday at 18:00.', contradicts('club:rowing')),
    said('person:nele', 'Jorit is the treasurer of the rowing club since March.', contradicts('person:nele')),
    said('money:fees', 'From January membership costs 210 euros a year.', contradicts('money:fees')),
  ]

  test.each([
    ['When is training?', /Tuesday and Friday/, /^Before: .*Tuesday and Thursday/m],
    ['Who is the treasurer?', /Jorit/, /^Before: .*Nele/m],
    ['How much is the membership fee?', /210 euros/, /^Before: .*180 euros/m],
  ])('is never the first line, but shown as what was before: %s', async (question, now, before) => {
    const graph = await graphs.graphOf(...HOUSE, ...CLUB)
    const { firstLine, insight, level, evidence } = await graph.ask(question)
    expect(firstLine).toMatch(now)
    expect(insight).toMatch(before)
    expect(level).not.toBe('low')
    expect(evidence[0]).toMatchObject({ relevance: 1, stands: true })
  })

  test('and answers what its replacement does not, is shown as of its day, and is not high', async () => {
    const graph = await graphs.graphOf(
      ...HOUSE,
      said('shop:velowerk', 'A full service costs 95 euros and takes two days.', {
        occurredAt: '2024-05-05T09:00:00.000Z',
      }),
    )
    await graph.record(
      said('shop:velowerk', 'The full service costs 110 euros.', contradicts(graph.ids.at(-1) ?? '')),
    )
    const price = await graph.ask('What does a full service cost?')
    expect(price.firstLine).toContain('110 euros')
    const days = await graph.ask('How long does a full service take?', { models: SURE })
    expect(days.firstLine).toMatch(/^Recorded on 5 May 2024, changed since: .*two days/)
    expect(days.insight).toContain('110 euros')
    expect(days.recommendation).toMatch(/^Check first, since /)
    expect(days.level).not.toBe('high')
  })
})

describe('several values of one thing, which nobody linked', () => {
  test.each([
    [
      'What does the risotto cost?',
      'menu:risotto',
      'The risotto costs 18.50 euros',
      'The risotto costs 19.80 euros',
    ],
    [
      'When does the shop open on weekdays?',
      'shop:hours',
      'The shop opens at 6:30 on weekdays',
      'The shop opens at 7:00 on weekdays',
    ],
  ])('the latest is first, and the earlier is shown: %s', async (question, contextId, before, now) => {
    const graph = await graphs.graphOf(said(contextId, before), ...HOUSE, said(contextId, now))
    const { firstLine, insight } = await graph.ask(question)
    expect(firstLine).toContain(now)
    expect(insight.split('\n').slice(1).join('\n')).toContain(before)
  })
})

describe('a question that was recorded', () => {
  const ASKED = 'Who renews the certificate of the billing service?'

  test('and not answered is shown as open: low, no answer, and who finds out is told where to record it', async () => {
    const graph = await graphs.graphOf(...HOUSE, said('service:billing', ASKED))
    const { insight, recommendation, level, answered } = await graph.ask(ASKED, { models: SURE })
    expect(insight).toBe(`Open question: ${ASKED}`)
    expect(recommendation).toContain('record it under service:billing')
    expect([level, answered]).toEqual(['low', false])
  })

  test('and answered is not shown before its answer', async () => {
    const graph = await graphs.graphOf(
      ...HOUSE,
      said('service:billing', ASKED),
      said('service:billing', 'Jana renews the certificate of the billing service every May.'),
    )
    expect((await graph.ask(ASKED)).firstLine).toMatch(/^Jana renews/)
  })
})

test('a conversation, recorded turn by turn: what was said behind a question answers it', async () => {
  const graph = await graphs.graphOf(
    said('chat:monday', 'Ana: Where did you put the spare key of the shed?'),
    said('chat:monday', 'Ben: Behind the blue flower pot, as always.'),
    said('chat:monday', 'Ana: Thanks! The key of the cellar is gone, too.'),
    said('chat:monday', 'Ben: I know, I have ordered a new one.'),
  )
  const { insight } = await graph.ask('Where is the spare key of the shed?')
  expect(insight).toContain('Behind the blue flower pot')
})

test('two linked memories that answer only together are shown together, and are not high', async () => {
  const graph = await graphs.graphOf(
    ...HOUSE,
    said('person:lea', 'Lea looks after the Harbour account.'),
    said('account:harbour', 'The Harbour account pays on the 15th.', extending('person:lea')),
  )
  const { insight, level } = await graph.ask('On which day does the customer that Lea looks after pay?', {
    models: UNSURE,
  })
  expect(insight).toContain('Lea looks after the Harbour account.')
  expect(insight).toContain('on the 15th')
  expect(level).not.toBe('high')
})

describe('what comes first is read again, as it is shown', () => {
  const WITH_SUBJECT = 'person sunniva: '
  const SUNNIVA = event('person:sunniva', 'Sunniva is here on Tuesdays.')

  test.each([
    [-5, 'low'],
    [5, 'high'],
  ])('with a logit of %d it is %s', async (shown, expected) => {
    const graph = await graphs.graphOf(SUNNIVA)
    const logitOf = (text: string) => (text.startsWith(WITH_SUBJECT) ? 5 : shown)
    const { level, firstLine } = await graph.ask('Who stands in for Sunniva?', {
      reader: { logitsOf: async (_, texts) => texts.map(logitOf) },
      models: SURE,
    })
    expect(firstLine).toBe('Sunniva is here on Tuesdays.')
    expect(level).toBe(expected)
  })
})

describe('a recommendation', () => {
  const CHECKOUT = event('service:checkout', '', {
    payload: {
      problem: 'Checkout returns 502 after deploys',
      cause: 'The sidecar starts before the app listens',
      fix: 'Set holdApplicationUntilProxyStarts: true',
    },
  })

  test('for a task is the instruction that the evidence holds', async () => {
    const graph = await graphs.graphOf(...HOUSE, CHECKOUT)
    const { recommendation } = await graph.ask(
      'I am about to deploy the checkout service again and saw 502 answers last time; what should I do before?',
    )
    expect(recommendation).toMatch(/^Set holdApplicationUntilProxyStarts: true/)
  })

  test('for a plain question is the instruction as well, where what answers holds one', async () => {
    const graph = await graphs.graphOf(...HOUSE, CHECKOUT)
    const { recommendation } = await graph.ask('Why does checkout return 502 after deploys?', {
      models: SURE,
    })
    expect(recommendation).toMatch(/^Go ahead: .*\nSet holdApplicationUntilProxyStarts: true$/)
  })

  test.each(['What is the guest wifi password?', 'Where is the spare key?'])(
    'for a plain question is in other words than the insight: %s',
    async (question) => {
      const graph = await graphs.graphOf(...HOUSE, CHECKOUT)
      const { insight, firstLine, recommendation } = await graph.ask(question)
      expect(recommendation).not.toContain(firstLine)
      for (const line of recommendation.split('\n')) expect(insight).not.toContain(line)
    },
  )

  test('says who recorded what answers, when, and how many agree', async () => {
    const rule = event('rule:keys', 'Signing keys are rotated every month.', {
      source: 'validator',
      occurredAt: '2024-05-05T09:00:00.000Z',
    })
    const graph = await graphs.graphOf(...HOUSE, rule, { ...rule, source: 'system' })
    expect(
      (await graph.ask('How often are the signing keys rotated?', { models: SURE })).recommendation,
    ).toMatch(/^Go ahead: recorded by a \w+ on \d+ \w+ \d{4}, and 1 later record agrees\./)
  })
})
