import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import type { Program } from '../support/program.js'
import { scaled } from './support/scale.js'
import { createClient, sleep, startService } from './support/service.js'
import { tell } from './support/tell.js'

const REQUESTS = scaled(8_000, 200_000)
const WARM_UP = 4_000
const CALLERS = 16
/** Caches that fill up slowly, and what V8 keeps of code; a kilobyte leaked by each request would be four times that. */
const MAX_GROWTH = 2 * 2 ** 20
const GARBAGE = fileURLToPath(new URL('support/garbage.mjs', import.meta.url))

type Client = ReturnType<typeof createClient>

/** Everything but new knowledge, which is meant to stay. */
const MIX: readonly ((client: Client, i: number) => Promise<{ status: number }>)[] = [
  (client) => client.get('/v1/contexts/g'),
  (client, i) => client.get(`/v1/contexts/g?q=word${i % 50}`),
  (client, i) => client.get(`/v1/contexts/g/skill?page=${i % 3}&page_size=10`),
  (client, i) => client.get(`/v1/contexts/g/skill/n${i % 50}`),
  (client, i) => client.get(`/v1/contexts/g/skill/n${i % 50}/relationships`),
  (client, i) => client.post('/v1/memories', { graph_id: 'g', query: `word${i % 50} of all` }),
  (client, i) => client.post('/v1/memories/insights', { graph_id: 'g', task: `What about word${i % 50}?` }),
  (client, i) => client.get(`/v1/contexts/none${i}`),
  (client, i) => client.get(`/v1/contexts/g?page=x${i}`),
  (client, i) => client.post('/v1/events', { graph_id: 'g', event_kind: `no${i}` }),
  (client, i) => client.get(`/nowhere/${i}`),
  (client) => client.get('/readyz'),
]

describe('E6: nothing leaks', () => {
  test(`E6: ${REQUESTS} mixed requests: heap and open files are as before`, async () => {
    const env = { LOREGRAPH_RATE_LIMIT: 'off', NODE_OPTIONS: `--import=${GARBAGE}` }
    const service = startService(temporaryFolder(), [], env)
    const url = await service.url
    await fill(url)
    await ask(url, WARM_UP)
    const before = await inUse(service)
    const statuses = await ask(url, REQUESTS)
    const after = await inUse(service)
    const grown = after.heap - before.heap
    tell(
      'E6',
      `${REQUESTS} requests: heap ${kilobytes(before.heap)}, then ${kilobytes(after.heap)}; ${after.files} files open`,
    )
    expect([...statuses.keys()].sort()).toEqual([200, 400, 404])
    expect(grown).toBeLessThan(MAX_GROWTH)
    expect(after.files).toBe(before.files)
    expect((await service.stop()).code).toBe(0)
  })
})

async function fill(url: string): Promise<void> {
  const client = createClient(url)
  const events = Array.from({ length: 200 }, (_, i) => ({
    event_kind: 'fact',
    context_id: `skill:n${i % 50}`,
    payload: { text: `word${i % 50} is number ${i} of all that is known` },
    related_to: [`skill:n${(i + 1) % 50}`],
  }))
  expect((await client.post('/v1/events/batch', { graph_id: 'g', events })).status).toBe(201)
  client.close()
}

async function ask(url: string, requests: number): Promise<ReadonlyMap<number, number>> {
  const client = createClient(url)
  const statuses = new Map<number, number>()
  let next = 0
  const caller = async () => {
    for (let i = next++; i < requests; i = next++) {
      const { status } = (await MIX[i % MIX.length]?.(client, i)) ?? { status: 0 }
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  client.close()
  return statuses
}

/** Once the connections are closed: bytes of the heap after a collection, and open files. */
async function inUse({ child, lines }: Program): Promise<{ heap: number; files: number }> {
  await sleep(1_000)
  const seen = lines.length
  child.kill('SIGUSR2')
  for (;;) {
    const said = lines.slice(seen).find((line) => line.startsWith('heap in use: '))
    if (said !== undefined) {
      return {
        heap: Number(said.slice('heap in use: '.length)),
        files: readdirSync(`/proc/${child.pid}/fd`).length,
      }
    }
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The service ended: ${lines.at(-1)}`)
    await sleep(20)
  }
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1024)} kB`
}
