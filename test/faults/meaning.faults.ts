import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../src/store/json/data-folder/folder-names.js'
import { ask } from '../store/support.js'
import { temporaryFolder } from '../support/folder.js'
import { vectorOf, WordMeaning } from '../support/meaning.js'
import { Ledger } from './support/ledger.js'
import { MemoryFiles } from './support/memory-files.js'
import { scaled } from './support/scale.js'
import { createProgress, expectKept, GRAPHS, openOn, play } from './support/scene.js'
import { type Client, createClient, startService, stopService } from './support/service.js'
import { tell } from './support/tell.js'
import { injecting, needStrace, ONE_THREAD } from './support/tools.js'

const RECORDS = 60
const QUESTION = 'which writer was it?'

async function insight(client: Client): Promise<{ unread: number }> {
  const body = { graph_id: 'ledger', task: QUESTION, explain: true }
  const answer = await client.post('/v1/memories/insights', body)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.body)
}

test.each([
  ['every write fails with ENOSPC', 'write,pwrite64', 'ENOSPC', '1+'],
  ['every third write fails with EIO', 'write,pwrite64', 'EIO', '2+3'],
  ['every flush fails with EIO', 'fdatasync,fsync', 'EIO', '1+'],
])('M6: %s (%s: %s) in the vectors alone: all is acknowledged, all is answered, and nothing is lost', async (...row) => {
  const context = row.at(-1)
  const [, calls, error, when] = row
  await needStrace(context as never)
  const folder = temporaryFolder()
  const vectors = join(folder, 'graphs', folderOf('ledger'), 'vectors')
  const wrapper = injecting(calls, error, when, [vectors, `${vectors}.tmp`])
  const service = startService(folder, wrapper, ONE_THREAD)
  const ledger = new Ledger()
  const client = createClient(await service.url)
  for (let i = 0; i < RECORDS; i++) expect((await ledger.send(client, 'w')).status).toBe(201)
  await expect.poll(async () => (await insight(client)).unread, { timeout: 60_000 }).toBe(0)
  const answer = await insight(client)
  for (const path of ['/livez', '/readyz']) expect((await client.get(path)).status).toBe(200)
  expect(service.lines.join('\n')).toContain('vectors')
  client.close()
  await stopService(service, folder, 'SIGKILL')
  await ledger.settle(folder)
  const again = startService(folder)
  const reader = createClient(await again.url)
  await expect.poll(async () => (await insight(reader)).unread, { timeout: 60_000 }).toBe(0)
  expect(await insight(reader)).toEqual(answer)
  reader.close()
  await again.stop()
})
