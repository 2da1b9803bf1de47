import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../src/log/file/folder-names.js'
import type { Store } from '../../src/store/store.js'
import { ask, exported } from '../store/support.js'
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

test.for([
  ['every write fails with ENOSPC', 'write,pwrite64', 'ENOSPC', '1+'],
  ['every third write fails with EIO', 'write,pwrite64', 'EIO', '2+3'],
  ['every flush fails with EIO', 'fdatasync,fsync', 'EIO', '1+'],
] as const)(
  'M6: %s in the vectors alone: all is acknowledged and answered, and nothing is lost',
  async (row, context) => {
    await needStrace(context)
    const [, calls, error, when] = row
    const folder = temporaryFolder()
    const vectors = join(folder, 'graphs', folderOf('ledger', 1), 'vectors')
    const wrapper = injecting(calls, error, when, [vectors, `${vectors}.tmp`])
    const service = startService(folder, wrapper, ONE_THREAD)
    onTestFinished(() => void stopService(service, folder, 'SIGKILL').catch(() => undefined))
    const ledger = new Ledger()
    const client = createClient(await service.url)
    for (let i = 0; i < RECORDS; i++) expect((await ledger.send(client, 'w')).status).toBe(201)
    await expect.poll(async () => (await insight(client)).unread, { timeout: 60_000 }).toBe(0)
    const answer = await insight(client)
    for (const path of ['/livez', '/readyz']) expect((await client.get(path)).status).toBe(200)
    expect(service.lines.filter((line) => line.includes('Embeddings cannot be kept'))).toHaveLength(1)
    client.close()
    await stopService(service, folder, 'SIGKILL')
    await ledger.settle(folder)
    const again = startService(folder)
    const reader = createClient(await again.url)
    await expect.poll(async () => (await insight(reader)).unread, { timeout: 60_000 }).toBe(0)
    expect(await insight(reader)).toEqual(answer)
    reader.close()
    await again.stop()
  },
)

test('M6: the n-th operation on vectors fails: nothing is refused, all is read, and no file is left open', async () => {
  for (const code of ['EIO', 'ENOSPC', 'EMFILE']) {
    let runs = 0
    for (let failed = true; failed; runs++) failed = await playFailing(code, runs + 1)
    expect(runs).toBeGreaterThan(20)
    tell('M6', `${runs} runs with ${code} while vectors were written`)
  }
})

/** Records with the n-th operation on a file of vectors failing; false when there were not that many. */
async function playFailing(code: string, nth: number): Promise<boolean> {
  const files = new MemoryFiles()
  const meaning = await WordMeaning.create()
  const progress = createProgress()
  let count = 0
  files.before = (operation, path) => {
    if (path.includes('vectors') && ++count === nth)
      throw Object.assign(new Error(`${code} ${operation} ${path}`), { code })
  }
  const store = await openOn(files, { meaning })
  await play(store, progress, scaled(5, 12))
  expect(progress.refused.size).toBe(0)
  expect(store.health()).toEqual({ writable: true })
  await expectRead(store)
  await expectKept(store, progress)
  await store.close()
  expect(files.open).toBe(0)
  files.before = () => undefined
  const again = await openOn(files.afterKill(), { meaning })
  await expectRead(again)
  await expectKept(again, progress)
  await again.close()
  return count >= nth
}

/** Every memory has been read: when all are asked for, all are near. */
async function expectRead(store: Store): Promise<void> {
  for (const graph of GRAPHS) {
    await store.caughtUp(graph)
    const memories = (await exported(store, graph)).length
    await expect
      .poll(async () => (await ask(store, graph).nearest({ vector: vectorOf('event'), limit: 1_000 })).length)
      .toBe(memories)
    expect(await ask(store, graph).unread()).toBe(0)
  }
}
