import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon, { type Options } from 'autocannon'
import { startProgram } from '../../test/support/program.js'
import { ROOT } from '../proof/paths.js'

export const GRAPH = 'bench'
export const SECRET = 'a-secret-for-the-benchmark-and-nothing-else'
const HEADERS = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
const BATCH = 1000

export interface Service {
  readonly url: string
  /** The CPU time so far, in milliseconds. */
  cpuMs(): Promise<number>
  /** A GET, or with a body a POST; rejects unless it is answered with 2xx. */
  send(path: string, body?: string): Promise<void>
  /** While a large graph is opened, a question is answered with 503 after some seconds: asks again until it is open. */
  sendOnceOpen(path: string): Promise<void>
  post(path: string, body: object): Promise<void>
  /** Records so many events, in batches. */
  fill(eventAt: (index: number) => object, count: number): Promise<void>
  stop(): Promise<void>
}

export interface Start {
  /** The checkout whose build is started. */
  readonly root?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The built service as a process of its own, on an empty folder that goes with it, and one connection to it. */
export async function startService({ root = ROOT, env = {} }: Start = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const program = startProgram(['serve'], {
    command: [process.execPath, join(root, 'dist/main.js')],
    env: {
      LOREGRAPH_DATA: folder,
      LOREGRAPH_PORT: '0',
      LOREGRAPH_SECRET: SECRET,
      LOREGRAPH_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ...env,
    },
    showErrors: true,
  })
  // Also when a benchmark fails.
  process.once('exit', () => program.child.kill())
  const url = await program.url
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statusOf = async (path: string, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(url + path, { agent, method, headers: HEADERS }).end(body)
    const [response]: IncomingMessage[] = await once(sent, 'response')
    if (response === undefined) throw new Error(`${method} ${path}: no answer`)
    await once(response.resume(), 'end')
    return response.statusCode ?? 0
  }
  const expectSuccess = (path: string, status: number) => {
    if (status < 200 || status > 299) throw new Error(`${path}: ${status}`)
  }
  const send = async (path: string, body?: string) => expectSuccess(path, await statusOf(path, body))
  const post = (path: string, body: object) => send(path, JSON.stringify(body))
  return {
    url,
    cpuMs: () => cpuMs(program.child.pid),
    send,
    async sendOnceOpen(path) {
      let status = 503
      while (status === 503) status = await statusOf(path)
      expectSuccess(path, status)
    },
    post,
    async fill(eventAt, count) {
      for (let from = 0; from < count; from += BATCH) {
        const events = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => eventAt(from + i))
        await post('/v1/events/batch', { graph_id: GRAPH, events })
      }
    },
    async stop() {
      agent.destroy()
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Requests a second. An answer other than 2xx would make the number worthless. */
export async function throughput(options: Omit<Options, 'headers'>): Promise<number> {
  const { requests, duration, non2xx, errors } = await autocannon({ ...options, headers: HEADERS })
  if (non2xx + errors > 0) throw new Error(`${options.url}: ${non2xx + errors} of ${requests.total} failed`)
  return requests.total / duration
}

/** The CPU time of a process, in milliseconds; NaN where the system does not say. */
export async function cpuMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // User and system time, in hundredths of a second.
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
