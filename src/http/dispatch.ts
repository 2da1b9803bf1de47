import type { Handlers, OperationId } from '../contract/operations.js'
import type { Step } from './pipeline/exchange.js'
import { type AnyReply, respond } from './response/respond.js'

type AnyHandler = (
  input: { path: unknown; query: unknown; headers: unknown; body: unknown },
  caller: unknown,
) => Promise<AnyReply>

/** Operation id → handler → reply. */
export function dispatch(handlers: Handlers): Step {
  return (req, res) => {
    const { operation, pathParams, query, requestId, principal, stream } = res.locals
    // A boundary: the validator has made the request fit the operation's types, which the compiler cannot know.
    const handler = handlers[operation.id as OperationId] as unknown as AnyHandler
    const input = { path: pathParams, query, headers: req.headers, body: stream ?? req.body }
    return handler(input, { requestId, principal }).then((reply) => respond(req, res, reply))
  }
}
