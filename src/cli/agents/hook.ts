import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createClient } from '../../client/index.js'
import type { Environment } from '../../config/database.js'
import { errorCode } from '../../domain/failure.js'
import {
  answerFailure,
  answerHook,
  HOOK_CONFIDENCE,
  HOOK_MEMORIES,
  type HookPorts,
  type HookSession,
} from '../../domain/hooks/answer.js'
import { type HookEvent, readHookEvent } from '../../domain/hooks/event.js'
import { HOOK_HOSTS, HOOK_KINDS, type HookHost, isHookHost, kindOf } from '../../domain/hooks/hosts.js'
import { NO_SESSION } from '../../domain/hooks/remembered-sessions.js'
import type { CommandPorts } from '../commands/job.js'
import { EXITS, Stop, usage } from '../output/exits.js'
import type { Values } from '../parse/options.js'
import { readService } from '../target/target.js'
import { fileNameFor, sessionsFolder } from './places.js'
import { sessionFile, tidySessions } from './session-file.js'
import { graphMistakes } from './wiring.js'

/** A person waits for the answer. */
const MAX_MS = 2000
const MAX_BYTES = 4 * 1024 * 1024

/** `loregraph hook`: the host's event on stdin, its answer on stdout; nothing at all when there is nothing to say. */
export async function hook(
  [name = '']: readonly string[],
  values: Values,
  { env, terminal, now, randomBytes }: CommandPorts,
): Promise<number> {
  const { host, graph } = readHookOptions(name, values, env)
  const { url, secret } = await readService(env, values)
  const signal = AbortSignal.timeout(MAX_MS)
  const event = readHookEvent(host, await readEvent(terminal.stdin, signal), name)
  if (event === undefined) return EXITS.fine.code
  const folder = sessionsFolder(env)
  if (event.kind === 'start') await tidySessions(folder, now())
  const token = Buffer.from(randomBytes(9)).toString('base64url')
  const file = join(folder, fileNameFor(host, url, graph, event.session ?? ''))
  const session = event.session === undefined ? NO_SESSION : sessionFile(file, token)
  const answer = await answerHook(event, { ...asking(url, secret, graph, signal), session })
    .catch((error: unknown) => reportOnce(event, session, error))
    .catch((error: unknown) => {
      const code = errorCode(error)
      if (code === undefined) throw error
      throw new Stop('disk', `What the session was told cannot be noted in ${folder} (${code}).`, {
        cause: error,
      })
    })
  if (answer !== undefined) terminal.stdout.write(`${answer}\n`)
  return EXITS.fine.code
}

/** What went wrong: to the person when a session starts, otherwise on stderr, and never twice in a session. */
async function reportOnce(
  event: HookEvent,
  session: HookSession,
  error: unknown,
): Promise<string | undefined> {
  if (!(error instanceof Stop)) throw error
  const isSaid = (await session.mark([fileNameFor(error.message)])).length === 0
  const answer = answerFailure(event, error.message)
  if (answer === undefined && !isSaid) throw error
  return answer
}

function readHookOptions(name: string, values: Values, env: Environment): { host: HookHost; graph: string } {
  const { host = 'claude-code', graph: graphs = [env['LOREGRAPH_GRAPH'] ?? ''] } = values
  const [graph = ''] = graphs
  const mistakes = graph !== '' && graphs.length === 1 ? graphMistakes(graph) : ['hook needs one --graph.']
  if (!isHookHost(host))
    throw usage([`--host must be one of ${HOOK_HOSTS.join(', ')}, not ${JSON.stringify(host)}.`], 'hook')
  if (kindOf(host, name) === undefined)
    mistakes.push(`hook is for ${HOOK_KINDS.join(', ')}, not ${JSON.stringify(name)}.`)
  if (mistakes.length > 0) throw usage(mistakes, 'hook')
  return { host, graph }
}

async function readEvent(stdin: Readable, signal: AbortSignal): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  // What is not read to its end would keep the process alive.
  signal.addEventListener('abort', () => stdin.destroy(new Stop('noInput', 'No event came on stdin.')))
  for await (const chunk of stdin) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Stop('data', `The event on stdin has more than ${MAX_BYTES} bytes.`)
    chunks.push(Buffer.from(chunk))
  }
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new Stop('data', 'The event on stdin is not JSON.', { cause: error })
  }
}

function asking(
  url: string,
  secret: string,
  graph_id: string,
  signal: AbortSignal,
): Pick<HookPorts, 'recall' | 'brief'> {
  const client = createClient({
    baseUrl: url,
    secret,
    fetch: (request) => fetch(request, { signal }).catch((error: unknown) => refuse(url, signal, error)),
  })
  return {
    async recall(query) {
      const form = { format: 'json', min_confidence: HOOK_CONFIDENCE } as const
      const body = { graph_id, query, limit: HOOK_MEMORIES, ...form }
      return dataOf(url, await client.POST('/v1/memories', { body })).items ?? []
    },
    async brief(max_chars) {
      const params = { path: { graph_id }, query: { max_chars } }
      return dataOf(url, await client.GET('/v1/graphs/{graph_id}/brief', { params })).brief
    },
  }
}

function refuse(url: string, signal: AbortSignal, error: unknown): never {
  const why = signal.aborted ? `did not answer within ${MAX_MS / 1000} seconds` : 'cannot be reached'
  throw new Stop('unavailable', `${url} ${why}.`, { cause: error })
}

function dataOf<T>(
  url: string,
  { data, error, response }: { data?: T; error?: { detail?: string }; response: Response },
): T {
  if (data !== undefined) return data
  throw new Stop('unavailable', error?.detail ?? `${url} answered with status ${response.status}.`)
}
