import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../src/log/file/folder-names.js'
import { temporaryFolder } from '../support/folder.js'
import { Ledger } from './support/ledger.js'
import { FULL } from './support/scale.js'
import { type Answer, createClient, sleep, startService, stopService } from './support/service.js'
import { injecting, limitFiles, makeReadOnly, mountSmall, needStrace, ONE_THREAD } from './support/tools.js'

const LIST = '/v1/contexts/ledger'

function journalOf(folder: string): string {
  return join(folder, 'graphs', folderOf('ledger', 1), 'journal.ndjson')
}

describe('D5: a flush that fails', () => {
  test('D5: EIO at the n-th flush: nothing is acknowledged after it, 503, the process ends, the next start is sound', async (context) => {
    await needStrace(context)
    const times = FULL ? Array.from({ length: 50 }, (_, i) => i + 1) : [2, 5, 7, 9, 20]
    for (const n of times) {
      const folder = temporaryFolder()
      const ledger = new Ledger()
      const service = startService(folder, injecting('fdatasync,fsync', 'EIO', String(n)), ONE_THREAD)
      const url = await service.url.catch(() => undefined)
      if (url === undefined) {
        // It failed while the folder was being prepared.
        expect((await service.ended).code).not.toBe(0)
        continue
      }
      const client = createClient(url)
      const statuses: number[] = []
      for (let i = 0; i < 80 && !statuses.includes(503); i++)
        statuses.push((await ledger.send(client, 'w')).status)
      const failed = statuses.indexOf(503)
      expect(failed).toBeGreaterThanOrEqual(0)
      expect(statuses.slice(0, failed).every((status) => status === 201)).toBe(true)
      for (let i = 0; i < 5; i++) expect([0, 503]).toContain((await ledger.send(client, 'w')).status)
      client.close()
      expect((await service.ended).code).not.toBe(0)
      await ledger.settle(folder)
    }
  })
})

describe('D6: a full disk', () => {
  test('D6: refused with storage_full, reads go on, the write is not there, and writing resumes with space', async (context) => {
    const folder = await mountSmall(context, '256k')
    await writeFile(join(folder, 'filler'), Buffer.alloc(96 * 1024))
    const ledger = new Ledger()
    const service = startService(folder)
    const client = createClient(await service.url)
    const fill = async () => {
      for (let i = 0; i < 2000; i++) {
        const answer = await ledger.send(client, 'w', 700)
        if (answer.status !== 201) return answer
      }
      return { status: 201, body: '' }
    }
    const refused = await fill()
    expect([503, 507]).toContain(refused.status)
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'storage_full' })
    expect((await ledger.send(client, 'w', 700)).status).toBe(refused.status)
    expect((await client.get(LIST)).status).toBe(200)
    await rm(join(folder, 'filler'))
    expect((await ledger.send(client, 'w', 700)).status).toBe(201)
    expect((await fill()).status).toBe(refused.status)
    await service.stop('SIGKILL')
    client.close()
    // Even a full disk can be read.
    const again = startService(folder)
    const reader = createClient(await again.url)
    expect((await reader.get(LIST)).status).toBe(200)
    reader.close()
    await again.stop()
    await ledger.settle(folder)
  })

  test('D6: ENOSPC at every n-th write, in the journal and in the snapshot', async (context) => {
    await needStrace(context)
    for (const [first, step, padding] of [
      [3, 4, 100],
      [2, 3, 60_000],
    ] as const) {
      const folder = temporaryFolder()
      const journal = journalOf(folder)
      const paths = [journal, `${journal}.tmp`, journal.replace('journal.ndjson', 'snapshot.json.tmp')]
      const when = `${first}+${step}`
      const service = startService(folder, injecting('write,pwrite64', 'ENOSPC', when, paths), ONE_THREAD)
      const ledger = new Ledger()
      const client = createClient(await service.url)
      const statuses: number[] = []
      for (let i = 0; i < 150; i++) statuses.push((await ledger.send(client, 'w', padding)).status)
      expect(statuses.filter((status) => status !== 201 && status !== 503 && status !== 507)).toEqual([])
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(60)
      expect(statuses.filter((status) => status !== 201).length).toBeGreaterThan(10)
      expect((await client.get(LIST)).status).toBe(200)
      client.close()
      await stopService(service, folder, 'SIGKILL')
      await ledger.settle(folder)
    }
  })
})

describe('D7: a folder that cannot be used as it should', () => {
  test('D7: read-only: reads are answered, writes get 503, and /readyz says why', async (context) => {
    const folder = await mountSmall(context, '4m')
    const ledger = new Ledger()
    const first = startService(folder)
    const client = createClient(await first.url)
    for (let i = 0; i < 5; i++) expect((await ledger.send(client, 'w')).status).toBe(201)
    client.close()
    await first.stop('SIGKILL')
    await makeReadOnly(folder)
    const second = startService(folder)
    const reader = createClient(await second.url)
    expect((await reader.get(LIST)).status).toBe(200)
    const refused = await ledger.send(reader, 'w')
    expect(refused.status).toBe(503)
    const ready = await reader.get('/readyz')
    expect(ready.status).toBe(503)
    expect(ready.body).toContain('read-only')
    reader.close()
    expect((await second.stop()).code).toBe(0)
  })

  test('D7: too few files allowed: some writes are refused, none is lost, and the process lives', async (context) => {
    const folder = temporaryFolder()
    const service = startService(folder)
    const client = createClient(await service.url)
    // Only now: the program itself is read from more files at once than that.
    await limitFiles(context, service.child.pid, 64)
    const answers: Answer[] = []
    for (let i = 0; i < 80; i++) answers.push(await client.record(`graph-${i}`, 'skill:a', `n${i}`))
    const written = answers.flatMap(({ status }, i) => (status === 201 ? [i] : []))
    expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
    expect(written.length).toBeGreaterThan(5)
    expect((await client.get('/livez')).status).toBe(200)
    client.close()
    await service.stop()
    const again = startService(folder)
    const reader = createClient(await again.url)
    for (const i of written) expect((await reader.get(`/v1/contexts/graph-${i}`)).status).toBe(200)
    reader.close()
    await again.stop()
  })
})

describe('D13: the order of system calls', () => {
  test('D13: each event is written and flushed before it is acknowledged; a snapshot before it gets its name', async (context) => {
    await needStrace(context)
    const folder = temporaryFolder()
    const trace = join(folder, '..', `${folder.split('/').at(-1)}.trace`)
    const calls = 'write,writev,pwrite64,fdatasync,fsync,rename,sendmsg,sendto'
    const wrapper = ['strace', '-f', '-qq', '-y', '-s', '40', '-o', trace, '-e', `trace=${calls}`]
    const service = startService(folder, wrapper, ONE_THREAD)
    const client = createClient(await service.url)
    const ledger = new Ledger()
    for (let i = 0; i < 500; i++) expect((await ledger.send(client, 'w', 10_000)).status).toBe(201)
    client.close()
    await sleep(500)
    await stopService(service, folder, 'SIGTERM')
    const lines = (await readFile(trace, 'utf8')).split('\n')
    await rm(trace)
    let state: 'idle' | 'written' | 'flushed' = 'idle'
    let acknowledged = 0
    let started = ''
    const wrong: string[] = []
    // The first event makes the graph: its journal is flushed before it gets its name, and is in the manifest after it.
    const making = [
      /write\(\d+<[^>]*journal\.ndjson\.tmp>/,
      /fdatasync\(\d+<[^>]*journal\.ndjson\.tmp>/,
      /rename\(.*journal\.ndjson\.tmp/,
      /fsync\(\d+<[^>]*graphs\/[^/>]+>/,
      /fdatasync\(\d+<[^>]*manifest\.1\.ndjson>/,
    ]
    for (const line of lines) {
      if (making[0]?.test(line)) making.shift()
      if (/(write|pwrite64)\(\d+<[^>]*journal\.ndjson>/.test(line)) state = 'written'
      if (/fdatasync\(\d+<[^>]*journal\.ndjson> <unfinished/.test(line)) started = line.split(' ')[0] ?? ''
      const resumed = line.includes('fdatasync resumed') && line.startsWith(`${started} `)
      const whole = /fdatasync\(\d+<[^>]*journal\.ndjson>\) += 0/.test(line)
      if ((whole || (resumed && / = 0$/.test(line))) && state === 'written') state = 'flushed'
      if (line.includes('HTTP/1.1 201')) {
        const isSafe = acknowledged === 0 ? making.length === 0 : state === 'flushed'
        if (!isSafe) wrong.push(line)
        acknowledged++
        state = 'idle'
      }
    }
    expect(wrong).toEqual([])
    expect(acknowledged).toBe(500)
    const synced = lines.findIndex((line) => /fdatasync\(\d+<[^>]*snapshot\.json\.tmp>/.test(line))
    const named = lines.findIndex((line, i) => i > synced && line.includes('rename('))
    const folderSynced = lines.findIndex(
      (line, i) => i > named && /fsync\(\d+<[^>]*graphs\/[^/>]+>/.test(line),
    )
    expect(synced).toBeGreaterThan(0)
    expect(named).toBeGreaterThan(synced)
    expect(folderSynced).toBeGreaterThan(named)
  })
})
