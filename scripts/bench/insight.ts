import { rm } from 'node:fs/promises'
import { readGraphs } from '../quality/graphs.js'
import { atMost, interleave, type Row, timingOf } from './measure.js'
import { GRAPH, startService } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { filledFolder } from './vectors.js'

const TASKS = 300
const WARM_UP = 150
const PER_ROUND = 10
/** The 95th percentile of an insight that is wanted for a graph of that many memories, in milliseconds. */
const MAX_P95_MS = new Map([
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
  const folder = await filledFolder(graphs, memories)
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
    const row = (figure: string, value: number) => ({
      what: `${what}, ${figure}`,
      subject,
      value,
      unit: 'ms',
    })
    const limit = what === 'generateInsight' ? MAX_P95_MS.get(memories) : undefined
    rows.push(row('p50', p50), atMost(row('p95', p95), limit), row('p99', p99), row('processor time', cpu))
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
