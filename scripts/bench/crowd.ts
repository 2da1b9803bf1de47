import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readGraphs } from '../quality/graphs.js'
import { watched } from './load-watch.js'
import { promised, type Row, timingOf } from './measure.js'
import { GRAPH, SECRET, type Service, startService } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { giveVectors } from './vectors.js'

const AT_ONCE = 50
const WARM_UP = 10
const PROBE_MS = 50
const REFUSED_MS = 1000
const RESIDENT_MB = 90

interface Asked {
  readonly status: number
  readonly ms: number
}

/** Fifty insights at once, each for a task that was not asked before, again and again; and what the models take of memory. */
export async function benchCrowd(memories: number, rounds: number): Promise<Row[]> {
  const graphs = new SyntheticGraphs(await readGraphs())
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const env = { LOREGRAPH_DATA: folder, LOREGRAPH_RATE_LIMIT: 'off' }
  const filling = await startService({ env: { ...env, LOREGRAPH_MEANING: 'off' } })
  await filling.fill((i) => graphs.event(i), memories)
  await filling.stop()
  await giveVectors(folder)
  let next = 0
  const resident: Record<string, number> = {}
  const asked: Asked[] = []
  let seen: Awaited<ReturnType<typeof watched>> | undefined
  for (const meaning of ['off', 'on']) {
    const service = await startService({ env: { ...env, LOREGRAPH_MEANING: meaning } })
    for (let i = 0; i < WARM_UP; i++) await insight(service, graphs.task(next++))
    resident[meaning] = await residentMb(service)
    const read = [`GET /v1/graphs/${GRAPH} HTTP/1.1`, `Authorization: Bearer ${SECRET}`]
    if (meaning === 'on')
      seen = await watched(service.url, read, async () => {
        for (let round = 0; round < rounds; round++)
          asked.push(
            ...(await Promise.all(
              Array.from({ length: AT_ONCE }, () => insight(service, graphs.task(next++))),
            )),
          )
      })
    await service.stop()
  }
  await rm(folder, { recursive: true })
  const answered = asked.filter(({ status }) => status === 200)
  const refused = asked.filter(({ status }) => status !== 200)
  const most = (some: readonly Asked[]) => Math.max(0, ...some.map(({ ms }) => ms))
  const subject = `${AT_ONCE} at once, ${memories.toLocaleString('en')} memories`
  const ms = (what: string, value: number): Row => ({ what, subject, value, unit: 'ms' })
  const probes = seen?.probes.p99 ?? Number.NaN
  const models = (resident['on'] ?? 0) - (resident['off'] ?? 0)
  return [
    promised(ms('/livez, p99', probes), `≤ ${PROBE_MS}`, probes <= PROBE_MS),
    ms('/livez, longest', seen?.probes.longest ?? Number.NaN),
    ms(`insights answered (${answered.length}), p50`, timingOf(answered.map(({ ms }) => ms)).p50),
    ms('insights answered, longest wait', most(answered)),
    promised(
      ms(
        `insights refused (${refused.length}: ${[...new Set(refused.map(({ status }) => status))]}), longest`,
        most(refused),
      ),
      `≤ ${REFUSED_MS}`,
      most(refused) <= REFUSED_MS,
    ),
    promised(
      { what: 'resident with the models, more', subject, value: models, unit: 'MB' },
      `≤ ${RESIDENT_MB}`,
      models <= RESIDENT_MB,
    ),
  ]
}

async function insight({ url }: Service, task: string): Promise<Asked> {
  const start = performance.now()
  const response = await fetch(`${url}/v1/memories/insights`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ graph_id: GRAPH, task, explain: true }),
  })
  await response.text()
  return { status: response.status, ms: performance.now() - start }
}

async function residentMb({ pid }: Service): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
