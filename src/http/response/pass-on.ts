import type { Answer } from '../pipeline/exchange.js'
import { drain, onShutdown } from './events.js'
import { begin, send } from './send.js'

/**
 * Sends the response of the MCP endpoint: an event stream in pieces, anything else at once. An endless stream
 * (`isListening`) uses no request slot and is ended when the service stops.
 */
export async function passOn(response: Response, res: Answer, isListening: boolean): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  if (!isStream || response.body === null)
    return send(res, response.status, headers, Buffer.from(await response.arrayBuffer()))
  const reader = response.body.getReader()
  const stop = () => {
    reader.cancel().catch(() => undefined)
  }
  begin(res, response.status, headers)
  res.flushHeaders()
  res.once('close', stop)
  if (isListening) {
    res.locals.slot?.pause()
    onShutdown(res, stop)
  }
  for (let next = await reader.read(); !next.done && !res.destroyed; next = await reader.read())
    if (!res.write(next.value)) await drain(res)
  res.end()
}
