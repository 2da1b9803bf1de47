import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type Program, startProgram } from '../../support/program.js'

export const SECRET = 'a-secret-for-the-battery-of-faults-only'

/** The built service on that folder, run by `wrapper` if one is given, e.g. strace. */
export function startService(folder: string, wrapper: readonly string[] = [], env = {}): Program {
  return startProgram(['serve'], {
    wrapper,
    from: 'build',
    env: {
      LOREGRAPH_DATA: folder,
      LOREGRAPH_PORT: '0',
      LOREGRAPH_SECRET: SECRET,
      LOREGRAPH_LOG_LEVEL: 'warn',
      ...env,
    },
  })
}

/** Signals the service itself, also when something wraps it, and waits for its end. */
export async function stopService(service: Program, folder: string, signal: NodeJS.Signals) {
  const { pid } = JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8'))
  process.kill(pid, signal)
  return service.ended
}

export interface Answer {
  /** 0 when there was no answer. */
  readonly status: number
  readonly body: string
  readonly error?: string
}

/** One client with connections of its own that it keeps open. */
export function createClient(url: string) {
  // The service closes what was idle for five seconds: what is sent just then is lost.
  const agent = new Agent({ keepAlive: true, timeout: 4000 })
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
    delete: (path: string) => send('DELETE', path),
    record: (graph: string, context: string, text: string) =>
      send('POST', '/v1/events', {
        graph_id: graph,
        event_kind: 'fact',
        similar: false,
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
