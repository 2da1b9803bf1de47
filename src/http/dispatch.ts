import type { Caller, Handlers, OperationId } from '../contract/operations.js'
import { keyOf, type LoopTurns } from './load/loop-turns.js'
import type { Checked, Step } from './pipeline/exchange.js'
import { type AnyReply, respond } from './response/respond.js'

type AnyHandler = (input: Checked['input'], caller: Caller) => Promise<AnyReply>

/** Operation id → handler → reply, when it is the caller's turn. */
export function dispatch(handlers: Handlers, turns: LoopTurns): Step<Checked> {
  return (req, res) => {
    const { operation, input, caller } = res.locals
    // A boundary: the validator has made the request fit the operation's types, which the compiler cannot know.
    const handler = handlers[operation.id as OperationId] as unknown as AnyHandler
    const key = keyOf(req)
    const turn = turns.take(key)
    const answer = turn === undefined ? handler(input, caller) : turn.then(() => handler(input, caller))
    return answer.then((reply) => respond(req, res, reply, (make) => turns.piece(key, make)))
  }
}
