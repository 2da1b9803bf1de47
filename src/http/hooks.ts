import { hash } from 'node:crypto'
import type { Contract, Operation } from '../contract/contract.js'
import type { Caller, Handlers } from '../contract/operations.js'
import { answerHook, HOOK_CONFIDENCE, HOOK_MEMORIES, type HookPorts } from '../domain/hooks/answer.js'
import { readHookEvent } from '../domain/hooks/event.js'
import { HOOK_HOSTS, isHookHost } from '../domain/hooks/hosts.js'
import { NO_SESSION, RememberedSessions } from '../domain/hooks/remembered-sessions.js'
import type { Loop } from './load/loop.js'
import { HOOKS_PATH } from './pages/pages.js'
import type { Parsed, Step } from './pipeline/exchange.js'
import { HttpFailure } from './problems/problems.js'
import { send } from './response/send.js'
import { checkGraphId } from './validation/graph-id.js'

/** Hooks are not part of the contract, but pass the same steps with the same checks as a recall. */
export const HOOK_OPERATION: Operation = {
  id: 'hook',
  method: 'POST',
  path: HOOKS_PATH,
  scope: 'read',
  graphIn: 'path',
  produces: ['application/json'],
  consumes: ['application/json'],
  maxBodyBytes: 4 * 1024 * 1024,
  query: {},
  defaults: [],
}

/** Answers the event of an agent host: 200 with text to add to the conversation, or 204 with none. */
export function hooks({ document }: Contract, handlers: Handlers, loop: Loop): Step<Parsed> {
  const sessions = new RememberedSessions()
  const checkId = checkGraphId(document)
  return async (req, res) => {
    const { pathParams, requestId, principal } = res.locals
    const { graph_id = '', host = '' } = pathParams
    if (!isHookHost(host))
      throw new HttpFailure(
        'not_found',
        `There are no hooks for that host. There are ${HOOK_HOSTS.join(', ')}.`,
      )
    checkId(graph_id)
    const event = readHookEvent(host, req.body)
    if (event === undefined) return send(res, 204, NO_STORE())
    // A hash, since a host may send a session id of any length.
    const sessionKey = hash('sha256', JSON.stringify([principal.keyId, graph_id, host, event.session]))
    const ports = {
      ...knowledgePorts(handlers, graph_id, { requestId, principal }),
      session: event.session === undefined ? NO_SESSION : sessions.session(sessionKey),
    }
    const text = await loop.read(principal.keyId, () => answerHook(event, ports))
    if (text === undefined) return send(res, 204, NO_STORE())
    send(res, 200, { ...NO_STORE(), 'Content-Type': 'application/json; charset=utf-8' }, text)
  }
}

const NO_STORE = () => ({ 'Cache-Control': 'no-store' })

/** Calls the handlers of the operations, so that hooks get the same answers as other clients. */
function knowledgePorts(
  handlers: Handlers,
  graph_id: string,
  caller: Caller,
): Pick<HookPorts, 'recall' | 'brief'> {
  return {
    async recall(query) {
      const body = {
        graph_id,
        query,
        limit: HOOK_MEMORIES,
        format: 'json',
        min_confidence: HOOK_CONFIDENCE,
      } as const
      const reply = await handlers.recallMemories({ path: {}, query: {}, headers: {}, body }, caller)
      return reply.body.items ?? []
    },
    async brief(max_chars) {
      const input = { path: { graph_id }, query: { max_chars }, headers: {}, body: undefined }
      return (await handlers.getBrief(input, caller)).body.brief
    },
  }
}
