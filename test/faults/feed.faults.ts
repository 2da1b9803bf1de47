import { expect, onTestFinished, test } from 'vitest'
import { followBesideWriters } from '../support/feed-battery.js'
import { temporaryFolder } from '../support/folder.js'
import { PostgresServer } from '../support/postgres-server.js'
import { scaled } from './support/scale.js'
import { SECRET, startService } from './support/service.js'

const KILLS = scaled(50, 200)

async function serviceOn(env: Record<string, string> = {}) {
  const service = startService(temporaryFolder(), [], { LOREGRAPH_RATE_LIMIT: 'off', ...env })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  return { port: Number(new URL(await service.url).port), secret: SECRET }
}

test(`a feed of files, 8 writers, cut off ${KILLS} times: every statement once, in order`, async () => {
  const service = await serviceOn()
  const { statements } = await followBesideWriters(service, service, 'g', KILLS)
  expect(statements).toBeGreaterThan(KILLS)
})

test(`a feed of one process on a database, 8 writers in another, cut off ${KILLS} times: every statement once, in order`, async () => {
  const server = await PostgresServer.create([])
  onTestFinished(() => server.remove())
  const [writing, reading] = [
    await serviceOn({ DATABASE_URL: server.url() }),
    await serviceOn({ DATABASE_URL: server.url() }),
  ]
  const { statements } = await followBesideWriters(writing, reading, 'g', KILLS)
  expect(statements).toBeGreaterThan(KILLS)
})
