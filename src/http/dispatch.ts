import type { Caller, Handlers, OperationId } from '../contract/operations.js'
import type { Checked, Step } from './pipeline/exchange.js'
import { type AnyReply, respond } from './response/respond.js'

type AnyHandler = (input: Checked['input'], caller: Caller) => Promise<AnyReply>

/** Operation id → handler → reply. */
export function dispatch(handlers: Handlers): Step<Checked> {
  return (req, res) => {
    const { operation, input, caller } = res.locals
    // A boundary: the validator has made the request fit the operation's types, which the compiler cannot know.
    const handler = handlers[operation.id as OperationId] as unknown as AnyHandler
    return handler(input, caller).then((reply) => respond(req, res, reply))
  }
}
