import type { Caller, Handlers, OperationId } from '../contract/operations.js'
import type { Loop } from './load/loop.js'
import type { Checked, Step } from './pipeline/exchange.js'
import { type AnyReply, respond } from './response/respond.js'

type AnyHandler = (input: Checked['input'], caller: Caller) => Promise<AnyReply>

/** Operation id → handler → reply, when it is the caller's turn. */
export function dispatch(handlers: Handlers, loop: Loop): Step<Checked> {
  return (req, res) => {
    const { operation, input, caller } = res.locals
    // A boundary: the validator has made the request fit the operation's types, which the compiler cannot know.
    const handler = handlers[operation.id as OperationId] as unknown as AnyHandler
    const key = caller.principal.keyId
    const answer = loop[wayOf(operation, input)](key, () => handler(input, caller))
    return answer.then((reply) => respond(req, res, reply, (make) => loop.piece(key, make)))
  }
}

/** How a request of the operation gets its turn. */
function wayOf(
  { method, scope }: Checked['operation'],
  input: Checked['input'],
): 'read' | 'erase' | 'inTurn' {
  if (scope === 'read' || isDryRun(input)) return 'read'
  return method === 'DELETE' && scope === 'write' ? 'erase' : 'inTurn'
}

/** What is only tried is a read, whatever it would be. */
function isDryRun({ query, body }: Checked['input']): boolean {
  return [query, body].some(
    (part) => typeof part === 'object' && part !== null && 'dry_run' in part && part.dry_run === true,
  )
}
