import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readGraphs } from '../quality/graphs.js'
import { interleave, promised, type Row, timingOf } from './measure.js'
import { GRAPH, startService } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { giveVectors } from './vectors.js'

const TASKS = 300
const WARM_UP = 150
const PER_ROUND = 10
/** The 95th percentile of an insight that is wanted for a graph of that many memories, in milliseconds. */
const MOST = new Map([
  [10_000, 260],
  [100_000, 320],
])

/**
 * What a whole insight and a whole recall take, over HTTP, one at a time, each for a task that was not asked before: by
 * words and by meaning. Questions are read by the model; the vectors of memories are made up.
 */
export async function benchInsight(sizes: readonly number[]): Promise<Row[]> {
  const graphs = new SyntheticGraphs(await readGraphs())
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(graphs, size)))
  return rows
}

async function benchSize(graphs: SyntheticGraphs, memories: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const filling = await startService({ env: { LOREGRAPH_DATA: folder, LOREGRAPH_MEANING: 'off' } })
  await filling.fill((i) => graphs.event(i), memories)
  await filling.stop()
  await giveVectors(folder)
  const service = await startService({ env: { LOREGRAPH_DATA: folder } })
  await service.sendOnceOpen(`/v1/contexts/${GRAPH}`)
  const tasks = distinctTasks(graphs)
  const ask = {
    generateInsight: (task: string) =>
      service.post('/v1/memories/insights', { graph_id: GRAPH, task, explain: true }),
    recallMemories: (query: string) =>
      service.post('/v1/memories', { graph_id: GRAPH, query, format: 'json' }),
  }
  for (const task of tasks.splice(0, WARM_UP)) for (const call of Object.values(ask)) await call(task)
  const rows: Row[] = []
  const subject = `${memories.toLocaleString('en')} memories`
  for (const [what, call] of Object.entries(ask)) {
    let next = 0
    const before = await service.cpuMs()
    const times = await interleave({ [what]: () => call(tasks[next++] ?? '') }, TASKS / PER_ROUND, PER_ROUND)
    const cpu = ((await service.cpuMs()) - before) / TASKS
    const { p50, p95, p99 } = timingOf(times.get(what) ?? [])
    const figures = { p50, p95, p99, 'processor time': cpu }
    for (const [figure, value] of Object.entries(figures)) {
      const row = { what: `${what}, ${figure}`, subject, value, unit: 'ms' }
      const most = `${what}, ${figure}` === 'generateInsight, p95' ? MOST.get(memories) : undefined
      rows.push(most === undefined ? row : promised(row, `≤ ${most}`, value <= most))
    }
  }
  await service.stop()
  await rm(folder, { recursive: true })
  return rows
}

function distinctTasks(graphs: SyntheticGraphs): string[] {
  const tasks = new Set<string>()
  for (let i = 0; tasks.size < WARM_UP + TASKS; i++) tasks.add(graphs.task(i))
  return [...tasks]
}
