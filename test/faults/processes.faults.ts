import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import type { Program } from '../support/program.js'
import { Ledger } from './support/ledger.js'
import { FULL, scaled } from './support/scale.js'
import { createClient, sleep, startService } from './support/service.js'
import { tell } from './support/tell.js'

const WRITERS = 8
/** How many owners are paused, one after the other; `D10_ROUNDS=50` for more. */
const OWNERS = Number(process.env['D10_ROUNDS'] ?? scaled(2, 5))

/** Writers that send one event after the other until there is no answer. */
async function writeUntilGone(service: Program, ledger: Ledger): Promise<void> {
  const url = await service.url
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const client = createClient(url)
      for (;;) {
        const { status } = await ledger.send(client, `w${writer}`)
        if (status === 0) break
      }
      client.close()
    }),
  )
}

describe('D1: kill -9', () => {
  test('D1: kills at random times under 8 writers: nothing acknowledged is lost, doubled or out of order', async () => {
    const folder = temporaryFolder()
    const ledger = new Ledger()
    const kills = scaled(15, 200)
    for (let kill = 1; kill <= kills; kill++) {
      const service = startService(folder)
      // Now and then before it listens: a start that recovers can be killed, too.
      const early = kill % 6 === 0
      const writing = early ? Promise.resolve() : writeUntilGone(service, ledger)
      if (!early) await service.url
      const before = ledger.acknowledged
      await sleep(Math.random() * (early ? 500 : 250))
      // A busy machine gets little done in that time; most kills hit a service that has.
      if (kill % 3 !== 0) while (ledger.acknowledged < before + 10) await sleep(Math.random() * 5)
      service.child.kill('SIGKILL')
      await Promise.all([writing, service.ended])
      if (kill % 10 === 0) await ledger.settle(folder)
    }
    await ledger.settle(folder)
    expect(ledger.acknowledged).toBeGreaterThan(kills * 5)
    tell('D1', `${kills} kills, ${ledger.acknowledged} events acknowledged, all there once`)
  })
})

describe('D9: one writer', () => {
  test('D9: a second process ends at once with 75 and names the first; after kill -9 the next one starts', async () => {
    const folder = temporaryFolder()
    const first = startService(folder)
    await first.url
    const times: number[] = []
    for (let i = 0; i < 3; i++) {
      const second = startService(folder)
      const { code, ms } = await second.ended
      expect(code).toBe(75)
      expect(second.lines.join('\n')).toContain(`process ${first.child.pid}`)
      times.push(ms)
    }
    expect(Math.min(...times)).toBeLessThan(FULL ? 1000 : 3000)
    await first.stop('SIGKILL')
    // A process id that is used again must not look like the holder.
    await writeFile(join(folder, 'lock.json'), JSON.stringify({ pid: process.pid }))
    const third = startService(folder)
    await third.url
    expect((await third.stop()).code).toBe(0)
    tell('D9', `refused in ${Math.round(Math.min(...times))} ms`)
  })
})

describe('D10: a paused owner', () => {
  test('D10: keeps the folder while it sleeps', async () => {
    const folder = temporaryFolder()
    const first = startService(folder)
    await first.url
    first.child.kill('SIGSTOP')
    expect((await startService(folder).ended).code).toBe(75)
    first.child.kill('SIGCONT')
    expect((await first.stop()).code).toBe(0)
  })

  test('D10: acknowledges nothing once its lock was taken away and another has started', async () => {
    for (let round = 0; round < OWNERS; round++) {
      const folder = temporaryFolder()
      const ledger = new Ledger()
      const first = startService(folder)
      const client = createClient(await first.url)
      const before = Array.from({ length: 20 }, () => ledger.send(client, 'first'))
      await sleep(Math.random() * 20)
      first.child.kill('SIGSTOP')
      await rm(join(folder, 'lock'))
      const second = startService(folder)
      const other = createClient(await second.url)
      for (let i = 0; i < 10; i++) expect((await ledger.send(other, 'second')).status).toBe(201)
      await sleep(scaled(1000, 30_000))
      first.child.kill('SIGCONT')
      const late = await Promise.all(Array.from({ length: 10 }, () => ledger.send(client, 'first')))
      expect(late.map(({ status }) => status).filter((status) => status === 201)).toEqual([])
      for (let i = 0; i < 10; i++) expect((await ledger.send(other, 'second')).status).toBe(201)
      expect((await first.ended).code).not.toBe(0)
      await Promise.all(before)
      client.close()
      other.close()
      expect((await second.stop()).code).toBe(0)
      await ledger.settle(folder)
    }
  })
})

describe('E2: SIGTERM', () => {
  test('E2: rolling restarts under 200 requests a second: no reset, no error but 503, nothing lost or doubled', async () => {
    const folder = temporaryFolder()
    const ledger = new Ledger()
    const failures: string[] = []
    for (let restart = 0; restart < scaled(5, 20); restart++) {
      const service = startService(folder)
      const url = await service.url
      const clients = Array.from({ length: WRITERS }, () => createClient(url))
      let stopping: number | undefined
      const sent: Promise<void>[] = []
      const timer = setInterval(() => {
        const client = clients[sent.length % WRITERS]
        if (client === undefined) return
        // Whoever shares out the requests has seen by now that this one is not ready.
        if (stopping !== undefined && performance.now() - stopping > 300) return
        sent.push(
          ledger
            .send(client, `w${sent.length % WRITERS}-${restart}-${sent.length}`)
            .then(({ status, error = '' }) => {
              if (status === 201 || status === 503) return
              failures.push(`${status} ${error}`)
            }),
        )
      }, 5)
      await sleep(400 + Math.random() * 200)
      stopping = performance.now()
      service.child.kill('SIGTERM')
      const { code } = await service.ended
      expect(code).toBe(0)
      expect(performance.now() - stopping).toBeLessThan(10_000)
      clearInterval(timer)
      await Promise.all(sent)
      for (const client of clients) client.close()
    }
    expect(failures).toEqual([])
    await ledger.settle(folder)
    tell('E2', `${ledger.acknowledged} events acknowledged`)
  })
})
