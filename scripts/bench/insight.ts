import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readGraphs } from '../quality/graphs.js'
import { interleave, promised, type Row, timingOf } from './measure.js'
import { Retold } from './retold.js'
import { startServer } from './server.js'

const GRAPH = 'retold'
const BATCH = 500
const TASKS = 300
const WARM_UP = 150
const PER_ROUND = 10
/** The 95th percentile that is promised for a graph of that many memories, in milliseconds. */
const MOST = new Map([
  [10_000, 15],
  [100_000, 80],
])

/** What a whole insight and a whole recall take, over HTTP, one at a time, each for a task that was not asked before. */
export async function benchInsight(sizes: readonly number[]): Promise<Row[]> {
  const retold = new Retold(await readGraphs())
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(retold, size)))
  return rows
}

async function benchSize(retold: Retold, memories: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-insight-'))
  const server = await startServer(folder)
  await server.start()
  for (let i = 0; i < memories; i += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, memories - i) }, (_, j) => retold.event(i + j))
    await server.post('/v1/events/batch', { graph_id: GRAPH, events })
  }
  const tasks = distinctTasks(retold)
  const ask = {
    generateInsight: (task: string) =>
      server.post('/v1/memories/insights', { graph_id: GRAPH, task, explain: true }),
    recallMemories: (query: string) =>
      server.post('/v1/memories', { graph_id: GRAPH, query, format: 'json' }),
  }
  for (const task of tasks.splice(0, WARM_UP)) for (const call of Object.values(ask)) await call(task)
  const rows: Row[] = []
  const subject = `${memories.toLocaleString('en')} memories`
  for (const [what, call] of Object.entries(ask)) {
    let next = 0
    const before = await cpuMs(server.pid)
    const times = await interleave({ [what]: () => call(tasks[next++] ?? '') }, TASKS / PER_ROUND, PER_ROUND)
    const cpu = ((await cpuMs(server.pid)) - before) / TASKS
    const { p50, p95, p99 } = timingOf(times.get(what) ?? [])
    const most = MOST.get(memories)
    const slow = { what: `${what}, p95`, subject, value: p95, unit: 'ms' }
    rows.push(
      { what: `${what}, p50`, subject, value: p50, unit: 'ms' },
      most === undefined ? slow : promised(slow, `≤ ${most}`, p95 <= most),
      { what: `${what}, p99`, subject, value: p99, unit: 'ms' },
      { what: `${what}, processor time`, subject, value: cpu, unit: 'ms' },
    )
  }
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  return rows
}

function distinctTasks(retold: Retold): string[] {
  const tasks = new Set<string>()
  for (let i = 0; tasks.size < WARM_UP + TASKS; i++) tasks.add(retold.task(i))
  return [...tasks]
}

/** How long a process has kept processors busy, in milliseconds; NaN where the system does not say. */
async function cpuMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // User and system time, in hundredths of a second.
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
