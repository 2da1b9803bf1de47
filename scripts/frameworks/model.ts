import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Case } from './cases.js'
import { type Asked, type AskedTool, chat, type Dialect, gemini } from './dialects.js'
import { refusedByGemini, refusedByOpenAi } from './refusals.js'

/** What a model saw of one case. */
export interface Seen {
  readonly tools: readonly string[]
  /** What the framework gave it as the outcome of the call. */
  readonly result?: string
  /** Why the API would not take the request. */
  readonly refused?: string
}

export interface Model {
  readonly url: string
  /** By the number of the case. */
  seenBy(framework: string): ReadonlyMap<number, Seen>
  stop(): void
}

interface Api {
  readonly path: RegExp
  readonly dialect: Dialect
  readonly refuse: (tool: AskedTool) => string | undefined
}

const APIS: readonly Api[] = [
  { path: /\/chat\/completions$/, dialect: chat, refuse: refusedByOpenAi },
  { path: /:generateContent$/, dialect: gemini, refuse: refusedByGemini },
]

/**
 * A fake model server for the frameworks, at `/{framework}`: told "case 7" it calls the tool of that case with its
 * arguments, and says that it is done when it is shown the result.
 */
export async function startModel(cases: readonly Case[]): Promise<Model> {
  const seen = new Map<string, Map<number, Seen>>()
  const server = createServer(async (req, res) => {
    const path = (req.url ?? '').replace(/\?.*/, '')
    const [, framework = ''] = path.split('/')
    const api = APIS.find((it) => it.path.test(path))
    // Unchecked: callers send this dialect. Other requests may have no body.
    const asked = api === undefined ? undefined : api.dialect.read((await json(req)) as never)
    const number = Number(/case (\d+)/.exec(asked?.words ?? '')?.[1])
    const wanted = cases[number]
    if (api === undefined || asked === undefined || wanted === undefined) {
      res.writeHead(404).end()
      return
    }
    const refused = asked.tools.map(api.refuse).find((it) => it !== undefined)
    const all = seen.get(framework) ?? new Map<number, Seen>()
    const before = all.get(number)
    seen.set(framework, all.set(number, { ...before, ...mergeObservation(asked, before, refused) }))
    if (refused !== undefined) {
      res.writeHead(400, JSON_TYPE).end(JSON.stringify({ error: { message: refused, code: 400 } }))
      return
    }
    const name = asked.tools.map((tool) => tool.name).find((it) => isCalled(it, wanted.tool))
    const isOver = asked.result !== undefined || name === undefined
    const answer = api.dialect.answer(isOver ? undefined : { name, arguments: wanted.arguments })
    if (asked.isStream)
      res
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end(`data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n`)
    else res.writeHead(200, JSON_TYPE).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seenBy: (framework) => seen.get(framework) ?? new Map(),
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Some put the name of the server before that of the tool. */
export function isCalled(name: string, tool: string): boolean {
  return name === tool || name.endsWith(`_${tool}`)
}

/** A framework may leave the tools out of what it asks when the call has been made. */
function mergeObservation(
  { tools, result }: Asked,
  before: Seen | undefined,
  refused: string | undefined,
): Seen {
  return {
    tools: before?.tools ?? tools.map(({ name }) => name),
    ...(result !== undefined && { result }),
    ...(refused !== undefined && { refused }),
  }
}
