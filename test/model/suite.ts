import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../support/api.js'
import { runsOf } from '../support/runs.js'
import { startTestServer, type TestServer } from '../support/server.js'
import { commands } from './commands.js'
import { Model } from './model.js'
import { standIn, type World } from './world.js'

const RUNS = runsOf({ quick: 5, full: 60 }, 'MODEL_RUNS')
const SEED = process.env['MODEL_SEED']
const LONGEST = 25

/** Random commands over HTTP; after each of them the service says what the model says. */
export function modelSuite(name: string, openWorld: () => Promise<World>): void {
  let server: TestServer | undefined
  let world: World | undefined
  beforeAll(async () => {
    server = await startTestServer({
      store: standIn(() => {
        if (world === undefined) throw new Error('There is no world.')
        return world.store
      }),
    })
  })
  afterAll(() => server?.stop())

  test(`A5: ${name} behaves like the model, in ${RUNS} runs`, {
    timeout: 60_000 + RUNS * 5_000,
  }, async () => {
    const api = createApi(() => {
      if (server === undefined) throw new Error('The server has not been started yet.')
      return server
    })
    let ran = 0
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: LONGEST, size: 'max' }), async (list) => {
        const own = await openWorld()
        world = own
        try {
          await fc.asyncModelRun(
            () => ({
              model: new Model(),
              real: { api, restart: () => own.restart(), crash: () => own.crash() },
            }),
            list,
          )
          ran++
        } finally {
          await own.end()
        }
      }),
      { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) },
    )
    expect(ran).toBe(RUNS)
  })
}
