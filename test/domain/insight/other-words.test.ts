import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conclude } from '../../../src/domain/insight/engine.js'
import { type OpenMeaning, openMeaning } from '../../../src/service/meaning/open-meaning.js'
import { type JsonStore, openJsonStore } from '../../../src/store/json/store.js'
import { at, event } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'
import { engine } from './support.js'

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
describe('a graph of a household, asked in other words', () => {
  let meaning: OpenMeaning
  let store: JsonStore
  beforeAll(async () => {
    const opened = await openMeaning('on', { log: SILENT })
    if (opened === undefined) throw new Error('This machine cannot read for meaning.')
    meaning = opened
    const folder = temporaryFolder()
    store = await openJsonStore({ folder, now: () => new Date(), randomBytes, log: SILENT, meaning })
    const events = HOME.map(([context, data]) => event(context, data, { payload: { data } }))
    await store.append('home', events, at)
    await store.caughtUp('home')
  })
  afterAll(async () => {
    await store.close()
    await meaning.close()
  })

  const ask = async (task: string) => {
    const vector = await meaning.vectorOf(task)
    return store.read('home', (graph) =>
      conclude(graph, engine, { task, limit: 5, ...(vector && { vector }) }),
    )
  }

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
