import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readGraphs } from '../quality/graphs.js'
import { median, type Row, timingOf } from './measure.js'
import { askAll, type Took } from './questions.js'
import { GRAPH, type Service, startService, throughput } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'

const CONNECTIONS = 10
const SECONDS = 1
const NOTHING: Took = { times: [], cpuMs: 0 }

/** This build beside that of another checkout: the same graph, the same requests, in alternating rounds. */
export async function benchCompare(
  other: string | undefined,
  memories: number,
  rounds: number,
): Promise<Row[]> {
  if (other === undefined || !existsSync(join(other, 'dist/main.js')))
    throw new Error('Say which build to compare with: --with <folder of another checkout that has dist/>')
  const graphs = new SyntheticGraphs(await readGraphs())
  const sides = { old: await startService({ root: resolve(other) }), new: await startService() }
  try {
    for (const service of Object.values(sides)) await service.fill((i) => graphs.event(i), memories)
    const type = graphs.event(0).context_id.split(':', 1)
    const rates = await rateOf(sides, `/v1/contexts/${GRAPH}/${type}`, rounds)
    const answers = await askAll(sides, graphs, memories, rounds)
    return [
      ...beside('listContexts, 10 connections', 'requests/s', median(rates.old), median(rates.new)),
      ...Array.from(answers, ([kind, bySide]) => {
        const [before = NOTHING, after = NOTHING] = [bySide.get('old'), bySide.get('new')]
        const [old, now] = [timingOf(before.times), timingOf(after.times)]
        return [
          ...beside(`${kind}, p50`, 'ms', old.p50, now.p50),
          ...(kind === 'insight' ? beside(`${kind}, p95`, 'ms', old.p95, now.p95) : []),
          ...beside(`${kind}, processor time`, 'ms', before.cpuMs, after.cpuMs),
        ]
      }).flat(),
    ]
  } finally {
    for (const service of Object.values(sides)) await service.stop()
  }
}

async function rateOf(sides: Readonly<Record<'old' | 'new', Service>>, path: string, rounds: number) {
  const rates = { old: [] as number[], new: [] as number[] }
  for (let round = 0; round <= rounds; round++)
    for (const side of ['old', 'new'] as const) {
      const url = sides[side].url + path
      const rate = await throughput({ url, duration: SECONDS, connections: CONNECTIONS })
      // The first round warms up.
      if (round > 0) rates[side].push(rate)
    }
  return rates
}

function beside(what: string, unit: string, before: number, after: number): Row[] {
  return [
    { what, subject: 'old', value: before, unit },
    { what, subject: 'new', value: after, unit },
    { what, subject: 'new ÷ old', value: after / before, unit: '×' },
  ]
}
