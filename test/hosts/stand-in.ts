import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type Body, type Called, fullName, type Offered, protocolFor } from './protocols.js'

/** A tool that the stand-in calls, once all calls before it have a result. */
export interface Call {
  /** Found in the full names of the tools that the host offers. */
  readonly tool: RegExp
  readonly args: Readonly<Record<string, unknown>>
  /** Only if the conversation holds this text. */
  readonly after?: string
}

/** What a host sent to the model. */
export interface Asked {
  readonly tools: readonly Offered[]
  /** The texts of the results of tools, in their order. */
  readonly results: readonly string[]
  /** All texts, those of the results included. */
  readonly text: string
}

export interface StandIn {
  readonly url: string
  /** The requests with tools, so without those for titles and the like. */
  readonly asked: readonly Asked[]
  /** Each path that was asked for, in the order of arrival. */
  readonly paths: readonly string[]
  stop(): void
}

/**
 * In place of a model: answers in the form that the path belongs to, with one call after the other and then with a text.
 * What to answer follows from the request alone, so that a host may ask again.
 */
export async function standIn(calls: readonly Call[]): Promise<StandIn> {
  const asked: Asked[] = []
  const paths: string[] = []
  const server = createServer(async (req, res) => {
    const path = req.url ?? '/'
    paths.push(`${req.method} ${path}`)
    const protocol = req.method === 'POST' ? protocolFor(path) : undefined
    if (protocol === undefined) {
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}')
      return
    }
    const body = (await json(req)) as Body
    const seen = { tools: protocol.tools(body), results: protocol.results(body), text: textsIn(body) }
    if (seen.tools.length > 0) asked.push(seen)
    const { type, text } = protocol.answer(next(calls, seen), { path, body })
    res.writeHead(200, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    paths,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function next(calls: readonly Call[], { tools, results, text }: Asked): Called | string {
  const call = calls[results.length]
  if (call === undefined || (call.after !== undefined && !text.includes(call.after))) return 'Done.'
  const id = `call_${results.length + 1}`
  const tool = tools.find((one) => call.tool.test(fullName(one)))
  if (tool !== undefined) return { tool, args: call.args, id }
  // The tools of servers may be offered only to those who search for them.
  const search = tools.find(({ form }) => form === 'search')
  return search ? { tool: search, args: { query: 'loregraph memories', limit: 20 }, id: 'search_1' } : 'Done.'
}

/** All texts in a value, a line each. */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textsIn).join('\n')
}
