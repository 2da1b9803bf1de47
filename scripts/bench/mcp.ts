import { setTimeout as sleep } from 'node:timers/promises'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Host, overStdio } from '../../test/support/mcp.js'
import { createEvents, englishWords, toBody } from './data.js'
import { promised, type Row, timingOf } from './measure.js'
import { cpuMs, GRAPH, SECRET, startService } from './service.js'

const CALLS = 1_000
const WARM_UP = 50
const MAX_MS = 30

/**
 * How long a host waits for a tool over stdio, one call after the other, once all memories are read for meaning. That takes
 * long for many of them; `LOREGRAPH_MEANING=off` measures without.
 */
export async function benchMcp(memories: number): Promise<Row[]> {
  const { LOREGRAPH_MEANING = 'on' } = process.env
  const service = await startService({ env: { LOREGRAPH_RATE_LIMIT: 'off', LOREGRAPH_MEANING } })
  const words = englishWords()
  const eventAt = createEvents(3, undefined, words)
  await service.fill((i) => toBody(eventAt(i)), memories)
  await read(service.url)
  const started = performance.now()
  const host = await overStdio(['--graph', GRAPH, '--url', service.url], { LOREGRAPH_SECRET: SECRET })
  await host.tools()
  const startMs = performance.now() - started
  const questionAt = createEvents(7, 6, words)
  const asked = (i: number) => String(questionAt(i).payload['text'])
  const calls = [
    ['recall', (i: number) => ({ query: asked(i) })],
    ['insight', (i: number) => ({ task: asked(i) })],
    ['browse', () => ({ type: 'skill' })],
    ['record', (i: number) => ({ text: `Learned in call ${i}: ${asked(i)}` })],
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
  const subject = `stdio, ${CALLS.toLocaleString('en')} calls, ${memories.toLocaleString('en')} memories, meaning ${LOREGRAPH_MEANING}`
  const all = timingOf([...times.values()].flat())
  return [
    { what: 'loregraph mcp: start to list of tools', subject, value: startMs, unit: 'ms' },
    { what: 'all tools, p50', subject, value: all.p50, unit: 'ms' },
    promised({ what: 'all tools, p95', subject, value: all.p95, unit: 'ms' }, '≤ 30 ms', all.p95 <= MAX_MS),
    { what: 'processor time of a call, both processes', subject, value: each, unit: 'ms' },
    ...[...times].map(([name, own]) => ({
      what: `${name}, p95`,
      subject,
      value: timingOf(own).p95,
      unit: 'ms',
    })),
  ]
}

/** The process that the host has started. */
function pidOf({ client }: Host): number | undefined {
  return client.transport instanceof StdioClientTransport ? (client.transport.pid ?? undefined) : undefined
}

/** Waits until every memory is read for meaning. */
async function read(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/v1/graphs`, { headers: { authorization: `Bearer ${SECRET}` } })
    const { graphs } = (await response.json()) as { readonly graphs: readonly { readonly unread?: number }[] }
    if (graphs.every(({ unread = 0 }) => unread === 0)) return
    await sleep(500)
  }
}
