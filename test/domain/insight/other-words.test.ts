import { describe, expect, test } from 'vitest'
import { conclude } from '../../../src/domain/insight/engine.js'
import { contradicts, event, extending } from '../../store/support.js'
import { useEncodedGraph } from './encoded-graph.js'
import { engine } from './support.js'

/** Asks as a caller does, whose task is read for meaning first. */
function askerOf(graph: ReturnType<typeof useEncodedGraph>) {
  return async (task: string) => {
    const vector = await graph.vectorOf(task)
    return graph.read((reader) => conclude(reader, engine, { task, limit: 5, ...(vector && { vector }) }))
  }
}

/** The first line that answers each question says what is expected. */
function answersFirst(ask: ReturnType<typeof askerOf>, cases: readonly (readonly [string, RegExp])[]): void {
  test.each(cases)('%s', async (question, answer) => {
    const { insight } = await ask(question)
    expect(insight.split('\n')[0]).toMatch(answer)
  })
}

/** A sentence of a user. */
function said(contextId: string, text: string, more = {}) {
  return event(contextId, text, { payload: { text }, source: 'user', ...more })
}

const HOME = [
  ['person:anna', 'Anna is allergic to peanuts'],
  ['person:anna', 'Anna moved to Hamburg in March'],
  ['car:golf', 'The spare key of the car hangs behind the kitchen door'],
  ['house:heating', 'The boiler is serviced every October by Meyer GmbH, phone 040 555 12'],
  ['pet:mila', 'Mila gets half a tablet of Apoquel every morning'],
  ['house:wifi', 'The guest wifi password is blue-lagoon-42'],
  ['trip:norway', 'We fly to Bergen on 3 June, Norwegian DY1742'],
  ['school:ben', 'Ben has football practice on Tuesdays and Thursdays at 17:00'],
  ['bank:mortgage', 'The mortgage rate is 2.9 % until 2031'],
  ['work:standup', 'Standup is at 9:30 in the small room'],
] as const

/** Ten memories as a user would record them, read by the encoder that ships. */
/** What an insight tells as contradicted by a later record, perhaps. */
function linesInDoubt(insight: string): string[] {
  const doubts = /^(?:A later record may contradict this|Recorded before, and perhaps no longer so): (.*)$/gm
  return [...insight.matchAll(doubts)].map(([, text = '']) => text)
}

describe('a graph of a household, asked in other words', () => {
  const graph = useEncodedGraph(HOME.map(([context, data]) => event(context, data, { payload: { data } })))

  const ask = askerOf(graph)

  test.each([
    ['Which nuts must our daughter avoid?', 'peanuts'],
    ['Where does Anna live?', 'Hamburg'],
    ['Where do I find the second key for the vehicle?', 'kitchen door'],
    ['Who looks after the furnace?', 'Meyer'],
    ['What medicine does the dog take?', 'Apoquel'],
    ['What is the network code for visitors?', 'blue-lagoon-42'],
    ['When does our plane leave?', '3 June'],
    ['When does Ben train?', 'Tuesdays'],
    ['How much interest do we pay?', '2.9 %'],
    ['What time is the daily meeting?', '9:30'],
    ['Can Anna eat satay sauce?', 'peanuts'],
  ])('%s', async (task, answer) => {
    const { insight, level } = await ask(task)
    expect(insight.split('\n')[0]).toContain(answer)
    expect(level).not.toBe('high')
  })

  test.each(['What is the capital of Peru?', 'Which wine goes with fish?'])(
    'nothing is told about what has nothing to do with it: %s',
    async (task) => {
      const { evidence, level } = await ask(task)
      expect({ evidence, level }).toEqual({ evidence: [], level: 'low' })
    },
  )

  test.each(['How old is Ben?', 'What does Anna earn?', 'When does Ben have piano lessons?'])(
    'what is not recorded is never high: %s',
    async (task) => expect((await ask(task)).level).toBe('low'),
  )
})

const HOUSE = [
  ['building:linden', 'The boiler is a Viessmann Vitodens 200, installed in 2019.'],
  ['building:linden', 'Bins are collected on Tuesday morning; put them out on Monday evening.'],
  ['building:linden', 'Spare keys for the cellar are with Mrs Novak on the second floor.'],
  ['flat:7', 'The bathroom tap in flat 7 drips; the plumber comes on Thursday.'],
  ['flat:3', 'Flat 3 has a dog, allowed by letter of 2024.'],
  ['contractor:plumber', 'Our plumber is Bader & Sons, call 040 998877 before ten.'],
  ['contractor:lift', 'The lift is serviced by Kone every March; contract number K-20331.'],
  ['guest:may', 'May Okafor is our weather expert, reachable at may@skies.example.'],
] as const

describe('a house, asked for more than was recorded of a thing', () => {
  const graph = useEncodedGraph(HOUSE.map(([context, data]) => event(context, data, { payload: { data } })))
  const ask = askerOf(graph)

  test.each([
    "What is Mrs Novak's phone number?",
    "What is Mrs Novak's birthday?",
    "What is May Okafor's phone number?",
    'Where does Mrs Novak work?',
    'What is the dog in flat 3 called?',
    'What is the breed of the dog in flat 3?',
    'Who is the tenant of flat 7?',
    'What is the colour of the boiler?',
    'Why does the tap drip?',
    'Where are the bins?',
    'stop',
  ])('is not sure of itself: %s', async (task) => expect((await ask(task)).level).not.toBe('high'))

  test.each([
    ['When do I put the bins out?', 'Monday evening'],
    ['Where is the spare key?', 'Mrs Novak'],
    ['Which floor does Mrs Novak live on?', 'second floor'],
    ['What is the contract number of the lift?', 'K-20331'],
    ['Which plumber do we call?', '040 998877'],
  ])('is sure of what was recorded: %s', async (task, answer) => {
    const { insight, level } = await ask(task)
    expect([insight.split('\n')[0], level]).toEqual([expect.stringContaining(answer), 'high'])
  })

  test('tells an address that is not called one', async () => {
    const { insight, level } = await ask("What is May Okafor's email address?")
    expect([insight, level]).toEqual([expect.stringContaining('may@skies.example'), 'high'])
  })
})

describe('a club, asked for another measure than is recorded', () => {
  const graph = useEncodedGraph([
    event('boat:albatros', 'The engine of the Albatros needs new oil every 100 hours'),
    event('boat:albatros', 'The Albatros has a draught of 1.9 metres'),
    event('person:henrik', 'Henrik gives the beginners course on Saturdays at nine'),
    event('club:rules', 'Nobody sails alone when the wind is above 6 Beaufort'),
    event('club:fees', 'The membership fee is 195 euros, due on March 31'),
    event('boat:seestern', 'The Seestern was sold to a family from Kiel'),
    event('person:henrik', 'Henrik prefers to be called by phone, not by mail'),
    event('event:regatta', 'The autumn regatta starts on October 3 at 11:00 off the north pier'),
    event('boat:albatros', 'The Albatros is moored at berth 22'),
  ])
  const ask = askerOf(graph)

  test.each(['How long is the Albatros?', 'How wide is the Albatros?', 'How heavy is the Albatros?'])(
    'is not sure of itself: %s',
    async (task) => expect((await ask(task)).level).not.toBe('high'),
  )

  test.each(['How deep is the Albatros?', 'How often does the engine need oil?'])(
    'is sure of what was recorded: %s',
    async (task) => expect((await ask(task)).level).toBe('high'),
  )
})

describe('a bakery, asked for what is told and for what is not', () => {
  const graph = useEncodedGraph([
    event('product:rye', 'The rye bread bakes 55 minutes at 210 degrees'),
    event('supplier:mill', 'Flour comes from the Brandt mill every Friday'),
    event('shop:hours', 'The shop opens at seven and closes at six'),
    event('customer:cafe', 'Cafe Lindt takes 60 rolls a day'),
    event('oven:two', 'Oven two runs ten degrees too hot'),
    event('event:market', 'The stall at the harvest market costs 85 euros'),
  ])
  const ask = askerOf(graph)

  test.each(['How old is oven two?', 'Who delivers to Cafe Lindt?', 'When does the shop close on Sundays?'])(
    'is not sure of itself: %s',
    async (task) => expect((await ask(task)).level).not.toBe('high'),
  )

  test('how long something is may be a span of time', async () => {
    const { insight, level } = await ask('How long is the rye bread in the oven?')
    expect([insight.split('\n')[0], level]).toEqual([expect.stringContaining('55 minutes'), 'high'])
  })
})

describe('a mind that is changed twice', () => {
  const said = (contextId: string, text: string) => event(contextId, text, { source: 'user' })
  const corrected = (contextId: string, text: string) =>
    event(contextId, text, { source: 'user', ...contradicts(contextId) })
  const graph = useEncodedGraph([
    said('plan:fence', 'The fence gets painted green'),
    said('plan:party', 'The garden party is on the 12th of June'),
    said('tool:mower', 'The mower needs new blades every spring'),
    said('person:ann', 'Ann waters the tomatoes on Mondays and Thursdays'),
    corrected('plan:fence', 'The fence gets painted white'),
    said('shop:seeds', 'Seeds are ordered from Miller in February'),
    corrected('plan:party', 'The garden party is on the 19th of June'),
    said('rule:hose', 'No hose between noon and four, by order of the town'),
    corrected('plan:fence', 'The fence gets painted green after all'),
  ])

  test('what was said against the first is itself held against the last, and not passed off as what holds', async () => {
    const task = 'Which colour does the fence get?'
    const vector = await graph.vectorOf(task)
    const { insight, recommendation } = await graph.read((reader) =>
      conclude(reader, engine, { task, limit: 5, ...(vector && { vector }) }),
    )
    expect(insight.split('\n')[0]).toBe('The fence gets painted green after all')
    expect(insight).not.toMatch(/^The fence gets painted white$/m)
    expect(recommendation).toBe('The fence gets painted green after all')
  })
})

/** Changes that are stated of a context, without naming the memory: which memory they mean shows in what they say. */
describe.each([
  {
    what: 'a choir that has found another soloist',
    meant: {
      text: 'We sing the Fauré Requiem at the spring concert; the baritone solo is sung by Tomas.',
      asked: 'Who sings the solo?',
    },
    other: {
      text: 'The spring concert is on 14 May in St. Anna, doors open at 18:00.',
      asked: 'When does the concert begin?',
    },
    change: 'Tomas is ill; Ben takes over the baritone solo.',
    contextId: 'event:spring_concert',
  },
  {
    what: 'a colleague who is back before her time',
    meant: {
      text: 'Mira is on parental leave from June to December.',
      asked: 'Is Mira available in November?',
    },
    other: {
      text: 'Mira prefers pull requests under 300 lines and reviews before noon.',
      asked: 'How large may a pull request be for Mira?',
    },
    change: 'Mira came back early, in October.',
    contextId: 'person:mira',
  },
])('$what', ({ meant, other, change, contextId }) => {
  const text = (data: string, more = {}) => event(contextId, data, { payload: { text: data }, ...more })
  const graph = useEncodedGraph([
    text(other.text),
    text(meant.text),
    event('event:rehearsal', 'Rehearsals are on Tuesdays at 19:30 in the parish hall.'),
    text(change, contradicts(contextId)),
  ])
  const ask = askerOf(graph)

  test('casts doubt on the memory that it means', async () => {
    const { insight } = await ask(meant.asked)
    expect(insight).toContain(change)
    expect(linesInDoubt(insight)).toContain(meant.text)
  })

  test('casts none on the others', async () => {
    const { insight } = await ask(other.asked)
    expect(insight).toContain(other.text)
    expect(linesInDoubt(insight)).not.toContain(other.text)
  })
})

describe('a rowing club where much changes, each time against the context', () => {
  const graph = useEncodedGraph([
    said('club:rowing', 'Training is on Tuesday and Thursday at 18:30 at the boathouse.'),
    said('person:nele', 'Nele is the treasurer of the rowing club.'),
    said('boat:seagull', 'The Seagull may be rowed by juniors without a coach.'),
    said('money:fees', 'Membership is 180 euros a year.'),
    said('place:boathouse', 'The key of the boathouse hangs behind the noticeboard.'),
    said('shop:velotec', 'Velotec delivers oars and oarlocks every Monday morning.'),
    said('club:rowing', 'Training is on Tuesday and Friday at 18:00.', contradicts('club:rowing')),
    said('person:nele', 'Jorit is the treasurer of the rowing club since March.', contradicts('person:nele')),
    said(
      'boat:seagull',
      'The Seagull must not be rowed by juniors without a coach any more.',
      contradicts('boat:seagull'),
    ),
    said('money:fees', 'From January membership costs 210 euros a year.', contradicts('money:fees')),
    said('place:boathouse', 'It is in the lockbox by the gate now.', contradicts('place:boathouse')),
    said('shop:velotec', 'Velotec comes on Thursdays now.', contradicts('shop:velotec')),
  ])
  const ask = askerOf(graph)

  test.each([
    ['When is training?', /^Training is on Tuesday and Friday at 18:00\./],
    ['Who is the treasurer?', /^Jorit is the treasurer/],
    ['Can juniors take the Seagull out without a coach?', /^The Seagull must not be rowed/],
    ['How much is the membership fee?', /^From January membership costs 210 euros/],
  ])('%s: what is sure is replaced, and high', async (task, leads) => {
    const { insight, level } = await ask(task)
    expect(insight).toMatch(leads)
    expect(insight).toContain('It replaces: ')
    expect(level).toBe('high')
  })

  test.each([
    ['Where is the key of the boathouse?', 'behind the noticeboard', 'in the lockbox by the gate'],
    ['When does Velotec deliver?', 'every Monday morning', 'on Thursdays now'],
  ])('%s: what is not sure is told with both sides, and is not high', async (task, before, after) => {
    const { insight, level } = await ask(task)
    expect(insight).toContain(before)
    expect(insight).toContain(after)
    expect(level).not.toBe('high')
  })
})

describe('a bakery with a repaired oven, and new hours that nobody called a change', () => {
  const graph = useEncodedGraph([
    said('oven:two', 'Oven two bakes at 230 degrees.'),
    said(
      'recipe:rye',
      'The rye bread bakes 55 minutes because oven two bakes at 230 degrees.',
      extending('oven:two'),
    ),
    said('shop:hours', 'The shop opens at 6:30 on weekdays.'),
    said('customer:lund', 'Cafe Lund takes 40 rolls a day.'),
    said('shop:hours', 'The shop opens at 7:00 on weekdays.'),
    said('oven:two', 'Oven two bakes at 215 degrees since the repair.', contradicts('oven:two')),
  ])
  const ask = askerOf(graph)

  test('what builds on the oven is told with the repair', async () => {
    const { insight, level } = await ask('How long does the rye bread bake?')
    expect(insight).toContain('may no longer hold: The rye bread bakes 55 minutes')
    expect(insight).toContain('What it builds on was replaced by: Oven two bakes at 215 degrees')
    expect(level).not.toBe('high')
  })

  test('the later hours lead, and the former are told', async () => {
    const { insight, level } = await ask('When does the shop open on weekdays?')
    expect(insight).toMatch(/^The shop opens at 7:00 on weekdays\.\nRecorded before: The shop opens at 6:30/)
    expect(level).not.toBe('high')
  })

  test('what nobody recorded is low', async () => {
    expect((await ask('What is the code of the safe?')).level).toBe('low')
  })
})

describe('a vet, whose medicine, surgeon and supplier change', () => {
  const clinic = 'clinic:elmside'
  const graph = useEncodedGraph([
    said(clinic, 'Elmside Vets is open Monday to Friday from 8 to 18.'),
    said(clinic, 'Emergency surgery is done by Dr. Osei only.'),
    said(clinic, 'The X-ray machine needs ten minutes to warm up.'),
    said('patient:biscuit', 'Biscuit takes 5 mg of apoquel twice a day.'),
    said('patient:biscuit', 'Biscuit bites when his paws are touched.'),
    said('patient:mochi', 'Mochi is a cat with kidney disease; no ibuprofen, no meloxicam.'),
    said('supplier:vetmed', 'VetMed delivers on Tuesdays and Fridays before noon.'),
    said('supplier:vetmed', 'Orders to VetMed must be placed by 15:00 the day before.'),
    said('patient:biscuit', 'Biscuit takes 3 mg of apoquel once a day.', contradicts('patient:biscuit')),
    said('supplier:vetmed', 'VetMed no longer delivers on Fridays.', contradicts('supplier:vetmed')),
    said(
      clinic,
      'Dr. Osei has left; emergency surgery is done by Dr. Lindqvist.',
      contradicts('clinic:elmside'),
    ),
  ])
  const ask = askerOf(graph)

  test.each([
    ['What dose of apoquel does Biscuit take?', 'Biscuit takes 3 mg', 'Biscuit takes 5 mg'],
    ['Who does the emergency surgery?', 'Dr. Osei has left', 'Emergency surgery is done by Dr. Osei'],
    ['When does VetMed deliver?', 'VetMed no longer', 'VetMed delivers on Tuesdays and Fridays'],
  ])('what replaced the best match leads, and tells what it replaced: %s', async (task, now, before) => {
    const { insight } = await ask(task)
    expect(insight.startsWith(now)).toBe(true)
    expect(insight).toContain(`It replaces: ${before}`)
  })

  test('a record that replaced one memory of a context casts no doubt on the others', async () => {
    const { insight } = await ask('How long does the X-ray machine take to warm up?')
    expect(insight).toBe('The X-ray machine needs ten minutes to warm up.')
  })
})

describe('a choir with a new conductor and another date', () => {
  const graph = useEncodedGraph([
    said('choir:st_anne', 'Rehearsals are on Wednesdays at 19:30 in the parish hall.'),
    said('choir:st_anne', 'The conductor is Ms. Ferrante.'),
    said('choir:st_anne', 'The choir has 34 singers, nine of them tenors.'),
    said('concert:advent', 'The Advent concert is on 6 December in St. Anne.'),
    said('concert:advent', 'Tickets for the Advent concert cost 12 euros, students pay 6.'),
    said('choir:st_anne', 'The conductor is Mr. Okoye since September.', contradicts('choir:st_anne')),
    said('concert:advent', 'The Advent concert has moved to 13 December.', contradicts('concert:advent')),
  ])
  const ask = askerOf(graph)

  test.each([
    ['Who conducts the choir?', 'The conductor is Mr. Okoye', 'The conductor is Ms. Ferrante'],
    ['When is the Advent concert?', 'The Advent concert has moved to 13', 'The Advent concert is on 6'],
  ])('what stands leads, and what it replaced is told: %s', async (task, now, before) => {
    const { insight, level } = await ask(task)
    expect(insight.startsWith(now)).toBe(true)
    expect(insight).toContain(`It replaces: ${before}`)
    expect(level).toBe('high')
  })
})

describe('a shop under development, as an agent records it', () => {
  const graph = useEncodedGraph([
    said('repo:shop', 'Integration tests need Redis on port 6380, started with make redis-test.'),
    event('service:checkout', 'fault', {
      payload: {
        problem: 'Checkout returns 502 after deploys',
        cause: 'The sidecar starts before the app listens',
        fix: 'Set holdApplicationUntilProxyStarts: true',
      },
    }),
    event('service:checkout', 'endpoint', {
      payload: { endpoint: 'POST /orders', rate_limit_per_min: 120, owner: 'team-basket' },
    }),
    said('service:search', 'We run Meilisearch 1.6, one node.'),
    said('service:search', 'Reindex with ./scripts/reindex.sh --full; it takes about 25 minutes.'),
    said('person:lena', 'Lena wants commit messages in the imperative mood.'),
    said(
      'service:search',
      'We upgraded Meilisearch to 1.11 and added a second node.',
      contradicts('service:search'),
    ),
    said('repo:shop', 'Redis for the integration tests now listens on 6390.', contradicts('repo:shop')),
  ])
  const ask = askerOf(graph)

  test('an announced change leads, and tells what it replaced', async () => {
    const { insight } = await ask('Which version of Meilisearch do we run?')
    expect(insight).toMatch(/^We upgraded Meilisearch to 1.11/)
    expect(insight).toContain('It replaces: We run Meilisearch 1.6')
  })

  test('a change that is not sure leads if it was found for the question, with what it may contradict', async () => {
    const { insight, level } = await ask('Which port does the test Redis use?')
    expect(insight).toMatch(/^Redis for the integration tests now listens on 6390/)
    expect(insight).toContain(
      'Recorded before, and perhaps no longer so: Integration tests need Redis on port 6380',
    )
    expect(level).not.toBe('high')
  })

  test.each([
    ['Who owns POST /orders?', 'owner: team-basket'],
    ['Why do we get 502s after a deploy?', 'The sidecar starts before the app listens'],
  ])('a word that is known in another form only is known: %s', async (task, answer) => {
    const { insight, level } = await ask(task)
    expect(insight.split('\n')[0]).toContain(answer)
    expect(level).toBe('high')
  })
})

describe('a bicycle shop, where a price changes that was recorded with something else', () => {
  const graph = useEncodedGraph([
    said('shop:velowerk', 'Velowerk is open Tuesday to Saturday from 10 to 18.'),
    said('shop:velowerk', 'Paul is the head mechanic.'),
    said('shop:velowerk', 'A full service costs 95 euros and takes two days.'),
    said('supplier:shimano', 'Shimano parts are ordered every Monday before noon.'),
    said('customer:ruiz', 'Ms. Ruiz rides a Brompton and wants to be called, never mailed.'),
    said('tool:stand', 'The repair stand must not carry e-bikes over 25 kg.'),
    said('shop:velowerk', 'The full service was raised to 110 euros.', contradicts('shop:velowerk')),
    said('shop:velowerk', 'Aylin took over as head mechanic from Paul.', contradicts('shop:velowerk')),
  ])
  const ask = askerOf(graph)

  test('what the replaced record said beside it is told with the change, and is not high', async () => {
    const { insight, level } = await ask('How long does a full service take?')
    expect(insight).toContain('It replaces: A full service costs 95 euros and takes two days.')
    expect(level).not.toBe('high')
  })

  test('who took over a role is who fills it', async () => {
    const { insight, level } = await ask('Who is the head mechanic?')
    expect(insight).toMatch(
      /^Aylin took over as head mechanic from Paul\.\nIt replaces: Paul is the head mechanic\./,
    )
    expect(level).toBe('high')
  })
})

describe('a theatre, where an opening night moves', () => {
  const graph = useEncodedGraph([
    said('house:playhouse', 'The playhouse has 212 seats, 8 of them for wheelchairs.'),
    said('play:tempest', 'The Tempest opens on 12 March at 19:30.'),
    said('play:tempest', 'Prospero is played by Idris Okafor.'),
    said('rule:bar', 'The bar closes ten minutes before the curtain.'),
    said('play:tempest', 'The opening of The Tempest was moved to 19 March.', contradicts('play:tempest')),
    said(
      'play:tempest',
      'Idris broke his leg; Prospero is played by Helen Cho.',
      contradicts('play:tempest'),
    ),
  ])
  const ask = askerOf(graph)

  test('what was recorded before is never told as if it were the later', async () => {
    const { insight, level } = await ask('When does The Tempest open?')
    expect(insight).toMatch(
      /^The opening of The Tempest was moved to 19 March\.\nRecorded before, and perhaps no longer so: The Tempest opens on 12 March at 19:30\./,
    )
    expect(level).not.toBe('high')
  })

  test('a change that stands in a second clause is one', async () => {
    const { insight, level } = await ask('Who plays Prospero?')
    expect(insight).toMatch(
      /^Idris broke his leg; Prospero is played by Helen Cho\.\nIt replaces: Prospero is played by Idris Okafor\./,
    )
    expect(level).toBe('high')
  })
})

describe('a farm, where the words of a memory come back in two sentences of another', () => {
  const graph = useEncodedGraph([
    said('animal:bella', 'Bella the goat is milked at 6 in the morning and at 5 in the afternoon.'),
    said('person:jonas', 'Jonas looks after the hens on weekends.'),
    said('rule:eggs', 'Eggs are sold for 40 cents each.'),
    said('place:barn', 'Hay is stored in the loft of the barn.'),
    said(
      'person:jonas',
      'Jonas has moved away; Mia looks after the hens on weekends.',
      contradicts('person:jonas'),
    ),
  ])

  test('that is no agreement, but a change', async () => {
    const { insight } = await askerOf(graph)('Who looks after the hens?')
    expect(insight).toMatch(
      /^Jonas has moved away; Mia looks after the hens on weekends\.\nIt replaces: Jonas looks after the hens on weekends\./,
    )
  })
})

describe('a clinic, where something is otherwise on some days', () => {
  const graph = useEncodedGraph([
    said('clinic:reception', 'The reception opens at 7:30 and closes at 18:00.'),
    said('clinic:phone', 'The emergency line is 555 0117.'),
    said('clinic:stock', 'The flu vaccine is kept in fridge 2 at 4 degrees.'),
    said(
      'clinic:reception',
      'From December the reception closes at 17:00 on Fridays.',
      contradicts('clinic:reception'),
    ),
  ])

  test('an exception replaces nothing, and is told behind what it is an exception to', async () => {
    const { insight } = await askerOf(graph)('When does the reception open?')
    expect(insight).toBe(
      'A later record may contradict this: The reception opens at 7:30 and closes at 18:00.\nThat record: From December the reception closes at 17:00 on Fridays.',
    )
  })

  test('nor does it lead where another day is asked for', async () => {
    const { insight } = await askerOf(graph)('When does the reception open on Mondays?')
    expect(insight).toMatch(/^A later record may contradict this: The reception opens at 7:30/)
  })

  test('it leads where it is asked for', async () => {
    const { insight } = await askerOf(graph)('When does the reception close on Fridays?')
    expect(insight).toMatch(/^From December the reception closes at 17:00 on Fridays\./)
  })
})

describe('a library, where fees and charges are what is spoken of', () => {
  const graph = useEncodedGraph([
    said('shop:fees', 'Students pay on the first of the month.'),
    said('shop:fees', 'The late fee is paid to the librarian, Mr Oduya.'),
    said('shop:rules', 'Books may be borrowed for three weeks.'),
    said('service:billing', 'Failed charges are retried five times.'),
  ])

  test.each(['When do students pay?', 'How often is a failed charge retried?'])(
    'no price is missed that was not asked for: %s',
    async (task) => expect((await askerOf(graph)(task)).level).toBe('high'),
  )

  test('a price that is told nowhere is missed', async () => {
    expect((await askerOf(graph)('How much is the late fee?')).level).not.toBe('high')
  })
})

describe('operations, where it is asked what to do when something happens, and how long something takes', () => {
  const graph = useEncodedGraph([
    said('ops:disk', 'A full disk stops the ingest; the oldest logs are deleted first.'),
    said('ops:oven', 'A smoking oven is switched off at the fuse and the door kept shut.'),
    said('ops:build', 'The build takes a quarter of an hour on the old runner.'),
    said('ops:retry', 'A failed job is tried again after the first hour.'),
    said('law:lease', 'The lease runs to the end of 2027.'),
    said('tool:node', 'We run Node 22.'),
  ])

  test.each([
    'What do I do when the oven smokes?',
    'How long does the build take?',
    'How long does the lease run?',
    'Which version of Node do we run?',
  ])('is told for sure: %s', async (task) => expect((await askerOf(graph)(task)).level).toBe('high'))

  test('no time is missed where none was asked for', async () => {
    expect((await askerOf(graph)('What happens when the disk is full?')).level).not.toBe('low')
  })

  test('an hour that is named is not how long something takes', async () => {
    expect((await askerOf(graph)('How long does a failed job take?')).level).not.toBe('high')
  })
})

describe('a bakery, where an exception fits the words of a question better than the rule', () => {
  const graph = useEncodedGraph([
    said('bakery:staff', 'Zoe opens the shop at 6:00.'),
    said('bakery:bread', 'The rye bread is baked at 240 degrees for 55 minutes.'),
    said('bakery:flour', 'Flour is delivered by Granary North every Tuesday.'),
    said('bakery:staff', 'On Saturdays Zoe opens the shop at 7:00.', contradicts('bakery:staff')),
  ])

  test('it leads where its day is asked for', async () => {
    const { insight } = await askerOf(graph)('When does the shop open on Saturdays?')
    expect(insight).toMatch(/^On Saturdays Zoe opens the shop at 7:00\./)
  })

  test('the rule leads where no day is asked for', async () => {
    const { insight } = await askerOf(graph)('When does the shop open?')
    expect(insight).toBe(
      'A later record may contradict this: Zoe opens the shop at 6:00.\nThat record: On Saturdays Zoe opens the shop at 7:00.',
    )
  })
})

describe('an orchestra, where an exception was recorded and not called a change', () => {
  const graph = useEncodedGraph([
    said('orchestra:rehearsals', 'The orchestra rehearses in the town hall at 19:30.'),
    said('orchestra:music', 'The scores are kept by Ines.'),
    said('orchestra:rehearsals', 'In summer the orchestra rehearses in the park at 20:00.'),
  ])

  test('the rule leads, and the exception is told', async () => {
    const { insight } = await askerOf(graph)('When does the orchestra rehearse?')
    expect(insight).toMatch(/^The orchestra rehearses in the town hall at 19:30\.\nIn summer/)
  })

  test('it leads where it is asked for', async () => {
    const { insight } = await askerOf(graph)('When does the orchestra rehearse in summer?')
    expect(insight).toMatch(/^In summer/)
  })
})

describe('a pool with two exceptions', () => {
  const graph = useEncodedGraph([
    said('club:pool', 'The pool is open from 7:00 to 21:00.'),
    said('club:pool', 'On Sundays the pool opens at 9:00.'),
    said('club:pool', 'In winter the pool closes at 19:00.', contradicts('club:pool')),
    said('club:court', 'A court costs 14 euros an hour.'),
  ])

  test.each(['When does the pool open?', 'When does the pool close?'])(
    'one exception is no rule for the other: %s',
    async (task) => {
      const { insight } = await askerOf(graph)(task)
      expect(insight).toMatch(/^A later record may contradict this: The pool is open from 7:00 to 21:00\./)
    },
  )
})

describe('a conversation, recorded turn by turn', () => {
  const graph = useEncodedGraph([
    said('chat:monday', 'Ana: Where did you put the spare key of the shed?'),
    said('chat:monday', 'Ben: Behind the blue flower pot, as always.'),
    said('chat:monday', 'Ana: Thanks! The key of the cellar is gone, too.'),
    said('chat:monday', 'Ben: I know, I have ordered a new one.'),
  ])

  test('what was said behind a question answers it', async () => {
    const { insight } = await askerOf(graph)('Where is the spare key of the shed?')
    expect(insight).toMatch(/^Ben: Behind the blue flower pot/)
  })
})

describe('a household that asks which, and answers in few words', () => {
  const graph = useEncodedGraph([
    said('garden:beds', 'Should we plant tomatoes or beans this year?'),
    said('garden:beds', 'Beans, the tomatoes had blight.'),
    said('house:heating', 'The heating runs from 6:00 to 22:00.'),
  ])

  test('what was decided is told, and not what was weighed', async () => {
    const { insight } = await askerOf(graph)('What do we plant this year?')
    expect(insight).toBe('Beans, the tomatoes had blight.')
  })
})

describe('a team that asks before it knows', () => {
  const graph = useEncodedGraph([
    said('service:api', 'Which version of Node does the API run in production?'),
    said('service:api', 'Production is on 22, staging is still on 20.'),
    said('service:billing', 'Who renews the certificate of the billing service?'),
    said('service:search', 'How do we rebuild the search index? Run make reindex on the worker.'),
    said('team:lunch', 'Lunch is at noon.'),
  ])
  const ask = askerOf(graph)

  test('what was recorded behind a question is told before it', async () => {
    const { insight } = await ask('Which version of Node does the API run in production?')
    expect(insight).toMatch(/^Production is on 22/)
  })

  test('a question that nothing has answered is no answer', async () => {
    const { level, reasons } = await ask('Who renews the certificate of the billing service?')
    expect([level, reasons()]).toEqual([
      'low',
      expect.arrayContaining(['What fits best is itself a question.']),
    ])
  })

  test('what answers itself does', async () => {
    const { insight, level } = await ask('How do we rebuild the search index?')
    expect([insight.split('\n')[0], level]).toEqual([expect.stringContaining('make reindex'), 'high'])
  })

  test('unless questions are asked for', async () => {
    const { insight, level } = await ask(
      'Which questions about the certificate of the billing service are unanswered?',
    )
    expect([insight.split('\n')[0], level]).toEqual([
      expect.stringMatching(/^Who renews/),
      expect.not.stringMatching('low'),
    ])
  })
})

describe('a practice, where a word of a question is part of another thing', () => {
  const ask = askerOf(
    useEncodedGraph([
      said('practice:staff', 'Dr. Lindner does the vaccinations.'),
      said('practice:staff', 'Emre runs the reception.'),
      said('practice:supplies', 'Gloves are ordered from Medica.'),
      said('practice:supplies', 'The vaccine fridge is kept at 5 degrees.'),
      said('practice:hours', 'The practice opens at 9:00 on weekdays.'),
    ]),
  )

  test('what answers is told first, and for sure', async () => {
    const { insight, level } = await ask('Who does the vaccinations?')
    expect([insight.split('\n')[0], level]).toEqual(['Dr. Lindner does the vaccinations.', 'high'])
  })

  // Known to tell too much: how cold the fridge is.
  test.fails('what only shares a word with it is not told', async () => {
    const { insight } = await ask('Who does the vaccinations?')
    expect(insight).toBe('Dr. Lindner does the vaccinations.')
  })
})

describe('a band, asked in other words than it wrote', () => {
  const ask = askerOf(
    useEncodedGraph([
      said('gear:van', 'The van seats six and takes the drum kit in the back.'),
      said('people:drummer', 'Oskar plays the drums; he is allergic to cats.'),
      said('gear:pa', 'The PA belongs to the school and must be back by Monday morning.'),
      said('people:manager', 'Ines books the concerts and answers the mails.'),
      said('tour:spring', 'The tour begins in York on 5 April.'),
      said('money:fee', 'Since June we take 950 euros for a concert.'),
      said('practice:room', 'We practise on Tuesdays at seven in the cellar of the bakery.'),
      said('practice:room', 'The key to the cellar hangs behind the flour scales.'),
    ]),
  )

  answersFirst(ask, [
    ['Where does the tour start?', /York/],
    ['How much do we charge?', /950 euros/],
    ['Who gets us our gigs?', /^Ines books/],
    ['How do I get into the rehearsal room?', /key to the cellar/],
    ['When do we rehearse?', /Tuesdays at seven/],
    ['When must we return the loudspeakers?', /Monday morning/],
    ['How many people fit in the van?', /seats six/],
  ])

  test('nobody sings: confidence is low', async () => {
    expect((await ask('Who is our singer?')).level).toBe('low')
  })

  // Known to tell too much: who books, what a concert costs and where the tour begins.
  test.fails('nobody sings: at most the one who may be meant is told', async () => {
    expect((await ask('Who is our singer?')).insight.split('\n').length).toBeLessThanOrEqual(1)
  })
})

describe('a beekeeper, whose prices and queens change', () => {
  const ask = askerOf(
    useEncodedGraph([
      said('hive:one', 'Hive 1 stands by the old pear tree and faces south.'),
      said('hive:one', 'The queen of hive 1 is marked blue.'),
      said('hive:two', 'Hive 2 swarmed on 14 May; the swarm now lives in the box of cousin Matej.'),
      said('sales:honey', 'A jar of honey costs 7 euros.'),
      said('tools:smoker', 'The smoker is kept in the shed, next to the ladder.'),
      said('care:mites', 'We treat against varroa with oxalic acid in December, when there is no brood.'),
      said('people:vet', 'The bee inspector is Mrs Horvat; she comes once a year in spring.'),
      said('care:feeding', 'In autumn each hive gets 12 kilos of sugar syrup, before the end of September.'),
      said('sales:honey', 'From this year on a jar of honey costs 8.50 euros.', contradicts('sales:honey')),
      said('hive:one', 'The queen of hive 1 is new since July and marked green.', contradicts('hive:one')),
    ]),
  )

  answersFirst(ask, [
    ['What does a jar cost?', /8\.50 euros/],
    ['What colour is the dot on the queen?', /marked green/],
    ['When do we fight the mites?', /December/],
    ['Who checks on our bees?', /Mrs Horvat/],
    ['How much food do the bees need before winter?', /12 kilos/],
    ['Which way does the first hive look?', /faces south/],
    ['What happened to the second colony?', /swarmed on 14 May/],
  ])

  test('what a jar cost before is told with what replaced it', async () => {
    expect((await ask('What did a jar of honey cost before?')).insight).toMatch(/costs 7 euros/)
  })

  // Known to advise the price of today, which nobody asked for.
  test.fails('what a jar cost before is what is advised', async () => {
    expect((await ask('What did a jar of honey cost before?')).recommendation).toMatch(/costs 7 euros/)
  })
})
