import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createEvents } from './data.js'
import { fill, open } from './graphs.js'
import { promised, type Row, timingOf } from './measure.js'
import { GRAPH } from './service.js'

interface LargeResult {
  readonly openMs: number
  readonly residentMb: number
  readonly loopDelayMs: number
  readonly compactions: number
}

/** A large graph: how long it takes to open, what it takes of memory, and how it does while it is compacted under load. */
export async function benchLarge(memories: number): Promise<Row[]> {
  // Nothing is compacted yet, so that the first write of each round has all of it compacted.
  const { folder, store, dispose } = await fill(memories, Number.POSITIVE_INFINITY)
  await store.close()
  const results: LargeResult[] = []
  for (let round = 0; round < 3; round++) {
    const copy = `${folder}-${round}`
    await cp(folder, copy, { recursive: true })
    const child = fork(fileURLToPath(import.meta.url), [copy, String(round)], {
      execArgv: process.execArgv,
    })
    const [result] = await once(child, 'message')
    await once(child, 'exit')
    results.push(result)
    await rm(copy, { recursive: true })
  }
  await dispose()
  const subject = `${memories.toLocaleString('en')} memories`
  const of = (pick: (result: LargeResult) => number) => timingOf(results.map(pick)).p50
  const opened = of(({ openMs }) => openMs)
  const resident = of(({ residentMb }) => residentMb)
  const delay = of(({ loopDelayMs }) => loopDelayMs)
  return [
    promised({ what: 'open', subject, value: opened, unit: 'ms' }, '≤ 3000', opened <= 3000),
    promised({ what: 'resident', subject, value: resident, unit: 'MB' }, '≤ 1200', resident <= 1200),
    promised(
      { what: 'longest event-loop delay while compacting', subject, value: delay, unit: 'ms' },
      '≤ 50',
      delay <= 50,
    ),
    { what: 'compactions', subject, value: of(({ compactions }) => compactions), unit: '' },
  ]
}

/** In a process of its own: opens the graph, then writes to it until it has been compacted. */
async function measure(folder: string, seed: number): Promise<LargeResult> {
  const start = performance.now()
  let compactions = 0
  const store = await open(folder, { onCompaction: () => compactions++ })
  await store.read(GRAPH, async () => undefined)
  const openMs = performance.now() - start
  const residentMb = process.memoryUsage().rss / 1e6
  const eventAt = createEvents(100 + seed)
  let writes = 0
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const until = performance.now() + 20_000
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (compactions === 0 && performance.now() < until) {
        await store.append(GRAPH, [eventAt(1_000_000 * (seed + 1) + writes++)], String)
        await store.read(GRAPH, async (graph) => graph.contextsOfType('skill', { page: 3, pageSize: 20 }))
      }
    }),
  )
  delay.disable()
  await store.close()
  return { openMs, residentMb, loopDelayMs: delay.max / 1e6, compactions }
}

const [, script, folder, seed] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  process.send?.(await measure(folder, Number(seed)))
  process.disconnect()
}
