import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../support/api.js'

/** A graph as somebody begins one; no model was fitted on it. */
const MEMORIES = {
  'tour:istanbul': 'We play Istanbul on 4 May in the Zorlu hall; load-in at 14:00',
  'crew:sound': 'Dario does the front-of-house sound; he wants the stage plot a week before',
  'crew:light': 'Lena runs the lights and brings her own desk',
  'van:crafter': 'The Crafter takes diesel; the spare key is with Lena',
  'money:per_diem': 'Everybody gets 35 euros a day on tour, paid in cash on Mondays',
  'gear:snare': 'The snare head was changed in Ghent on 2 March',
  'rule:alcohol': 'No alcohol before the show, by contract with the insurer',
  'merch:shirts': 'Shirts in size M sell out first; bring twice as many',
  'hotel:vienna': 'In Vienna we stay at Hotel Korotan, breakfast until 10',
  'setlist:encore': 'The encore is Low Tide, then Harbour',
} as const

const api = useApi(
  async (it) => {
    const event = { graph_id: 'band', event_kind: 'fact', source: 'agent' } as const
    for (const [context_id, text] of Object.entries(MEMORIES))
      await it.ok('recordEvent', { body: { ...event, context_id, payload: { text } } }, 201)
  },
  { meaning: 'on' },
)

const ask = async (task: string) =>
  (await api.ok('generateInsight', { body: { graph_id: 'band', task } })).body

describe('a graph of ten memories', () => {
  test.each([
    ['When do we play Istanbul?', '4 May'],
    ['Who does the sound?', 'Dario'],
    ['Where is the spare key?', 'Lena'],
    ['Can I have a beer before the show?', 'No alcohol'],
    ['Which shirts sell out?', 'size M'],
    ['Where do we stay in Vienna?', 'Korotan'],
    ['Where are we sleeping in Vienna, and until when is breakfast?', 'until 10'],
    ['What is the encore?', 'Low Tide'],
    ['When was the snare head changed?', '2 March'],
  ])('%s is answered, and not called low', async (task, answer) => {
    const { insight, confidence } = await ask(task)
    expect(insight).toContain(answer)
    expect(confidence).not.toBe('low')
  })

  test.each([
    'Who drives the van?',
    'Which hotel do we have in Berlin?',
    'How many people came in Ghent?',
    'Who stands in for Lena?',
    'Who is our drummer?',
    'thanks, that was great',
    'fix the typo in the rider',
  ])('%s has no answer there, and is never called high', async (task) => {
    expect((await ask(task)).confidence).not.toBe('high')
  })
})

describe('a graph in which somebody changed their mind twice, and took one change back', () => {
  const event = { graph_id: 'bakery', event_kind: 'fact', source: 'user' } as const
  const said = async (context_id: string, text: string, contradicts: string[] = []) => {
    const body = { ...event, context_id, payload: { text }, contradicts }
    const receipt = await api.call('recordEvent', { body })
    return (receipt.body as { event_id: string }).event_id
  }
  const asked = async (task: string) =>
    (await api.ok('generateInsight', { body: { graph_id: 'bakery', task } })).body

  beforeAll(async () => {
    await said('flour:rye', 'We buy rye flour from Mill Hansen, 25 kg sacks, every second Tuesday')
    await said('oven:deck', 'The deck oven needs 50 minutes to reach 240 degrees')
    await said('oven:deck', 'The left door of the deck oven does not close unless it is pushed twice')
    await said('staff:jonas', 'Jonas cannot work before six because of his daughter')
    await said('customer:lund', 'Cafe Lund takes 40 rolls each morning and pays at the end of the month')
    await said('shop:card', 'The card terminal loses its network when the freezer starts')
    await said('rule:phones', 'No phones at the counter')
    await said('staff:mia', 'Mia is allergic to penicillin')
    const hours = await said('shop:hours', 'The shop is open from 7 to 13, closed on Mondays')
    await said('shop:hours', 'From March on the shop is open from 6:30 to 14, closed on Mondays', [hours])
    const short = 'The sourdough rests 16 hours in the cold room'
    const first = await said('bread:sourdough', short)
    const long = 'The sourdough rests 20 hours in the cold room, 16 gave too little taste'
    const second = await said('bread:sourdough', long, [first])
    await said('bread:sourdough', short, [second])
  })

  test.each([
    ['When does the shop open?', 'From March on the shop is open from 6:30'],
    ['How many rolls does Cafe Lund get?', 'Cafe Lund takes 40 rolls'],
    ['How long before the oven is hot?', 'The deck oven needs 50 minutes'],
    ['Who supplies our flour?', 'We buy rye flour from Mill Hansen'],
    ['Is Mia allergic to penicillin?', 'Mia is allergic to penicillin'],
  ])('%s is answered by what stands, and not called low', async (task, answer) => {
    const { insight, recommendation, confidence } = await asked(task)
    expect(insight.split('\n')[0]).toContain(answer)
    expect(recommendation).not.toContain('7 to 13')
    expect(recommendation).not.toContain('20 hours')
    expect(confidence).not.toBe('low')
  })

  test.each([
    'Who repairs the oven?',
    'Is the shop open on Sunday?',
    'What is the phone number of the mill?',
    'Is Mia allergic to nuts?',
  ])('%s has no answer there, and is never called high', async (task) => {
    expect((await asked(task)).confidence).not.toBe('high')
  })

  // The confidence is fitted on labelled graphs; on this one it is wrong twice.
  test.fails('known: what is said in another word is low, though it leads', async () => {
    expect((await asked('How long does the dough rest?')).confidence).not.toBe('low')
  })

  test.fails('known: another figure of the same customer is high', async () => {
    expect((await asked('What does Cafe Lund pay per roll?')).confidence).not.toBe('high')
  })

  test('whether something is so is never high where a word of the question is unheard of, and the reasons say so', async () => {
    const missing = 'No memory holds one of the words that are asked about.'
    const task = 'Is Mia allergic to nuts?'
    const { reasons, confidence } = (
      await api.ok('generateInsight', { body: { graph_id: 'bakery', task, explain: true } })
    ).body
    expect(confidence).not.toBe('high')
    expect(reasons).toContain(missing)
  })
})
