import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { Client } from './client.js'
import { createEvents } from './data.js'
import { GRAPH, open } from './graphs.js'
import { median, promised, type Row } from './measure.js'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const SECRET = 'a-secret-for-the-benchmark-and-nothing-else'
const HEADERS = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }

/** The built service on that folder. `fill` or `start` must come first. */
export async function startServer(folder: string) {
  let url = ''
  let pid: number | undefined
  let stop = async () => undefined as unknown
  let client: Client | undefined
  async function start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, 'serve'], {
      env: {
        PATH: process.env['PATH'],
        LOREGRAPH_DATA: folder,
        LOREGRAPH_PORT: '0',
        LOREGRAPH_SECRET: SECRET,
        LOREGRAPH_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface({ input: child.stdout })) {
      const [, found] = /^loregraph listening on (.+)$/.exec(line) ?? []
      if (found !== undefined) url = found
      if (found !== undefined) break
    }
    pid = child.pid
    client = new Client(url, SECRET)
    stop = async () => {
      client?.close()
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
  return {
    start,
    /** Writes to the folder before the service has it, then starts it. */
    async fill(events: readonly { context: string; text: string }[]) {
      const store = await open(folder)
      for (let i = 0; i < events.length; i += 1000)
        await store.append(
          GRAPH,
          events.slice(i, i + 1000).map(({ context, text }) => ({
            contextId: context,
            eventKind: 'fact',
            source: 'agent',
            payload: { text },
            links: [],
          })),
          String,
        )
      await store.close()
      await start()
    },
    get url() {
      return url
    },
    get pid() {
      return pid
    },
    post: async (path: string, body: object) => client?.send('POST', path, JSON.stringify(body)),
    get: async (path: string) => client?.send('GET', path),
    record: async (context: string, text: string) =>
      client?.send('POST', '/v1/events', bodyOf(context, text)),
    stop: () => stop(),
  }
}

function bodyOf(context: string, text: string): string {
  return JSON.stringify({ graph_id: GRAPH, event_kind: 'fact', context_id: context, payload: { text } })
}

/** How many events 64 callers at once can have recorded, beside how many lists they can have. */
export async function benchServer(folder: string, memories: number, seconds: number): Promise<Row[]> {
  const eventAt = createEvents(3)
  const server = await startServer(folder)
  await server.fill(
    Array.from({ length: memories }, (_, i) => {
      const { contextId, payload } = eventAt(i)
      return { context: contextId, text: String(payload['text']) }
    }),
  )
  let index = memories
  const common = { url: server.url, connections: 64, duration: seconds, headers: HEADERS }
  const write = () =>
    autocannon({
      ...common,
      requests: [
        {
          method: 'POST',
          path: '/v1/events',
          setupRequest(request) {
            const { contextId, payload } = eventAt(index++)
            return { ...request, body: bodyOf(contextId, String(payload['text'])) }
          },
        },
      ],
    })
  const list = () =>
    autocannon({
      ...common,
      requests: [{ method: 'GET', path: `/v1/contexts/${GRAPH}/skill` }],
    })
  const rates = { write: [] as number[], list: [] as number[] }
  for (let round = 0; round < 4; round++)
    for (const [name, run] of [
      ['list', list],
      ['write', write],
    ] as const) {
      const { requests, duration, non2xx, errors } = await run()
      if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} refused, ${errors} failed`)
      // The first round warms up.
      if (round > 0) rates[name].push(requests.total / duration)
    }
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  const share = median(rates.write) / median(rates.list)
  const subject = `64 callers, ${memories.toLocaleString('en')} memories`
  return [
    { what: 'listContexts, 100 a page', subject, value: median(rates.list), unit: 'requests/s' },
    { what: 'recordEvent, durable', subject, value: median(rates.write), unit: 'requests/s' },
    promised({ what: 'recordEvent ÷ listContexts', subject, value: share, unit: '×' }, '≥ 0.6', share >= 0.6),
  ]
}
