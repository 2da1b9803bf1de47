import { describe, expect, test } from 'vitest'
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
  ])('%s has no answer there, and is called low', async (task) => {
    expect((await ask(task)).confidence).toBe('low')
  })
})
