import { rm } from 'node:fs/promises'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Host, overStdio } from '../../test/support/mcp.js'
import { readGraphs } from '../quality/graphs.js'
import { atMost, type Row, timingOf } from './measure.js'
import { cpuMs, GRAPH, SECRET, startService } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { filledFolder } from './vectors.js'

const CALLS = 1_000
const WARM_UP = 50
const MAX_MS = 30

/** How long a host waits for a tool over stdio, one call after the other. The vectors of memories are made up. */
export async function benchMcp(memories: number): Promise<Row[]> {
  const graphs = new SyntheticGraphs(await readGraphs())
  const folder = await filledFolder(graphs, memories)
  const service = await startService({ env: { LOREGRAPH_DATA: folder, LOREGRAPH_RATE_LIMIT: 'off' } })
  await service.sendOnceOpen(`/v1/contexts/${GRAPH}`)
  const started = performance.now()
  const host = await overStdio(['--graph', GRAPH, '--url', service.url], { LOREGRAPH_SECRET: SECRET })
  await host.tools()
  const startMs = performance.now() - started
  const calls = [
    ['recall', (i: number) => ({ query: graphs.task(i) })],
    ['insight', (i: number) => ({ task: graphs.task(i) })],
    ['browse', (i: number) => ({ type: graphs.event(i).context_id.split(':')[0] })],
    ['record', (i: number) => ({ text: `Learned in call ${i}: ${graphs.task(i)}` })],
  ] as const
  const pid = pidOf(host)
  const busy = async () => (await service.cpuMs()) + (await cpuMs(pid))
  const before = await busy()
  const times = new Map<string, number[]>(calls.map(([name]) => [name, []]))
  for (let i = 0; i < WARM_UP + CALLS; i++) {
    const [name, argumentsAt] = calls[i % calls.length] ?? calls[0]
    const begun = performance.now()
    const { isError, text } = await host.call(name, argumentsAt(i))
    if (isError) throw new Error(text)
    if (i >= WARM_UP) times.get(name)?.push(performance.now() - begun)
  }
  const each = ((await busy()) - before) / (WARM_UP + CALLS)
  await host.close()
  await service.stop()
  await rm(folder, { recursive: true })
  const subject = `stdio, ${CALLS.toLocaleString('en')} calls, ${memories.toLocaleString('en')} memories`
  const row = (what: string, value: number) => ({ what, subject, value, unit: 'ms' })
  const all = timingOf([...times.values()].flat())
  return [
    row('loregraph mcp: start to list of tools', startMs),
    row('all tools, p50', all.p50),
    atMost(row('all tools, p95', all.p95), MAX_MS),
    row('processor time of a call, both processes', each),
    ...Array.from(times, ([name, own]) => row(`${name}, p95`, timingOf(own).p95)),
  ]
}

/** The process that the host has started. */
function pidOf({ client }: Host): number | undefined {
  return client.transport instanceof StdioClientTransport ? (client.transport.pid ?? undefined) : undefined
}
