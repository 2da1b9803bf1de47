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

/** Hooks are no part of the contract, but go through its steps: secret, scope, reach and limits are those of a recall. */
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

/** Answers the event of a host: 200 with what it is to take into the conversation, 204 with nothing. */
export function hooks({ document }: Contract, handlers: Handlers, loop: Loop): Step<Parsed> {
  const sessions = new RememberedSessions()
  const refuseOtherThanGraphs = checkGraphId(document)
  return async (req, res, next) => {
    const { operation, pathParams, requestId, principal } = res.locals
    if (operation !== HOOK_OPERATION) return next()
    const { graph_id = '', host = '' } = pathParams
    if (!isHookHost(host))
      throw new HttpFailure(
        'not_found',
        `There are no hooks for that host. There are ${HOOK_HOSTS.join(', ')}.`,
      )
    refuseOtherThanGraphs(graph_id)
    const event = readHookEvent(host, req.body)
    if (event === undefined) return send(res, 204, NO_STORE())
    // A host may send any text as its session; only so much is kept of it.
    const name = hash('sha256', JSON.stringify([principal.keyId, graph_id, host, event.session]))
    const ports = {
      ...asking(handlers, graph_id, { requestId, principal }),
      session: event.session === undefined ? NO_SESSION : sessions.session(name),
    }
    const text = await loop.read(principal.keyId, () => answerHook(event, ports))
    if (text === undefined) return send(res, 204, NO_STORE())
    send(res, 200, { ...NO_STORE(), 'Content-Type': 'application/json; charset=utf-8' }, text)
  }
}

const NO_STORE = () => ({ 'Cache-Control': 'no-store' })

function asking(handlers: Handlers, graph_id: string, caller: Caller): Pick<HookPorts, 'recall' | 'brief'> {
  const rest = { path: {}, query: {}, headers: {} }
  return {
    async recall(query) {
      const asked = { graph_id, query, limit: HOOK_MEMORIES } as const
      const form = { format: 'json', min_confidence: HOOK_CONFIDENCE } as const
      const { body } = await handlers.recallMemories({ ...rest, body: { ...asked, ...form } }, caller)
      return body.items ?? []
    },
    async brief(max_chars) {
      const asked = { path: { graph_id }, query: { max_chars }, headers: {}, body: undefined }
      return (await handlers.getBrief(asked, caller)).body.brief
    },
  }
}
