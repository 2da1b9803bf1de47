import type { Caller, Handlers, OperationId } from '../contract/operations.js'
import type { Loop } from './load/loop.js'
import type { Checked, Step } from './pipeline/exchange.js'
import { type AnyReply, respond } from './response/respond.js'

type AnyHandler = (input: Checked['input'], caller: Caller) => Promise<AnyReply>

/** Calls the handler of the operation when it is the turn of the caller's key, and sends its reply. */
export function dispatch(handlers: Handlers, loop: Loop): Step<Checked> {
  return (req, res) => {
    const { operation, input, caller } = res.locals
    // A boundary: the validator guarantees that the request has the types of the operation.
    const handler = handlers[operation.id as OperationId] as unknown as AnyHandler
    const key = caller.principal.keyId
    return loop[queueOf(operation, input)](key, () => handler(input, caller)).then((reply) =>
      respond(req, res, reply, (make) => loop.piece(key, make)),
    )
  }
}

/** The queue for a request of the operation; see `Loop`. */
function queueOf(
  { method, scope }: Checked['operation'],
  input: Checked['input'],
): 'read' | 'erase' | 'inTurn' {
  if (scope === 'read' || isDryRun(input)) return 'read'
  return method === 'DELETE' && scope === 'write' ? 'erase' : 'inTurn'
}

/** A dry run changes nothing, so that it is queued as a read. */
function isDryRun({ query, body }: Checked['input']): boolean {
  return [query, body].some(
    (part) => typeof part === 'object' && part !== null && 'dry_run' in part && part.dry_run === true,
  )
}
