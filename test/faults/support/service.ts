import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
export const SECRET = 'a-secret-for-the-battery-of-faults-only'

export interface Service {
  readonly child: ChildProcess
  /** Where it listens; rejects when it ends without listening. */
  readonly url: Promise<string>
  readonly ended: Promise<{ code: number | null; ms: number }>
  readonly output: readonly string[]
}

/** The built service on that folder, run by `wrapper` if one is given, e.g. strace. */
export function startService(folder: string, wrapper: readonly string[] = [], env = {}): Service {
  const started = performance.now()
  const [command = '', ...args] = [...wrapper, process.execPath, MAIN, 'serve']
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      LOREGRAPH_DATA: folder,
      LOREGRAPH_PORT: '0',
      LOREGRAPH_SECRET: SECRET,
      LOREGRAPH_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const ended = once(child, 'close').then(([code]) => ({ code, ms: performance.now() - started }))
  const url = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line)
      const [, at] = /^loregraph listening on (.+)$/.exec(line) ?? []
      if (at !== undefined) resolve(at)
    })
    createInterface({ input: child.stderr }).on('line', (line) => output.push(line))
    ended.then(() => reject(new Error(`It ended: ${output.join('\n')}`)))
  })
  url.catch(() => undefined)
  return { child, url, ended, output }
}

/** Signals the service itself, also when something wraps it, and waits for its end. */
export async function stopService(service: Service, folder: string, signal: NodeJS.Signals) {
  const { pid } = JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8'))
  process.kill(pid, signal)
  return service.ended
}

/** An empty folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-faults-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface Answer {
  /** 0 when there was no answer. */
  readonly status: number
  readonly body: string
  readonly error?: string
}

/** One client with connections of its own that it keeps open. */
export function createClient(url: string) {
  const agent = new Agent({ keepAlive: true })
  const send = (method: string, path: string, body?: object) =>
    new Promise<Answer>((resolve) => {
      const outgoing = request(
        url + path,
        {
          method,
          agent,
          headers: {
            Authorization: `Bearer ${SECRET}`,
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
        },
        (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
          response.on('error', (error) => resolve({ status: 0, body: '', error: String(error) }))
        },
      )
      outgoing.on('error', (error) => resolve({ status: 0, body: '', error: String(error) }))
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: object) => send('POST', path, body),
    record: (graph: string, context: string, text: string) =>
      send('POST', '/v1/events', {
        graph_id: graph,
        event_kind: 'fact',
        context_id: context,
        payload: { text },
      }),
    close: () => agent.destroy(),
  }
}

export type Client = ReturnType<typeof createClient>

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
