import { afterAll, beforeAll, expect } from 'vitest'
import type { Input, OperationId, Reply } from '../../src/contract/operations.js'
import { type Checker, createChecker } from './checker.js'
import { readOpenApi } from './openapi.js'
import type { Problem } from './problem.js'
import { startTestServer, type TestOptions, type TestServer } from './server.js'
import { percentEncode, type RawResponse, send } from './wire.js'

/** A request by its parts. What a type cannot hold, because the contract forbids it, goes in as well. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  /** RawRequest as JSON, unless it is a string or bytes, which are sent as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

export interface Answer<Body> {
  readonly status: number
  readonly headers: RawResponse['headers']
  readonly body: Body
  readonly text: string
}

export type Body<Id extends OperationId, Status = number> = Extract<Reply<Id>, { status: Status }>['body']

/** The service over real HTTP; every answer is held against the contract before a test sees it. */
export interface Api {
  readonly server: TestServer
  /** Any documented answer. */
  call(id: OperationId, call: Call): Promise<Answer<unknown>>
  /** The answer, which must be a success. */
  ok<Id extends OperationId>(id: Id, call: Call, status?: number): Promise<Answer<Body<Id>>>
  /** The problem, which must have this status and code. */
  refused(id: OperationId, call: Call, status: number, code: string): Promise<Answer<Problem>>
  /** Records an event in `graph_id` (`demo` unless given) and gives its id. */
  record(event: EventParts): Promise<string>
}

export type EventParts = Partial<Input<'recordEvent'>['body']>

/** Starts a server for the tests of a file, or of one `describe`, with the scene set by `prepare`. */
export function useApi(prepare: (api: Api) => Promise<void> = async () => {}, options?: TestOptions): Api {
  let server: TestServer | undefined
  const api = createApi(() => {
    if (server === undefined) throw new Error('The server has not been started yet.')
    return server
  })
  beforeAll(async () => {
    server = await startTestServer(options)
    await prepare(api)
  })
  afterAll(() => server?.stop())
  return api
}

let usual: Checker | undefined

/** The checker of the contract itself, made once: its schemas are compiled as they are needed. */
function usualChecker(): Checker {
  usual ??= createChecker(readOpenApi())
  return usual
}

export function createApi(server: () => TestServer, checker = usualChecker()): Api {
  const call = async (id: string, parts: Call): Promise<Answer<unknown>> => {
    const { port, secret } = server()
    const received = await send(port, toSent(checker, id, secret, parts))
    return { ...received, body: checker.check(id, received) }
  }
  const api: Api = {
    get server() {
      return server()
    },
    call,
    async ok(id, parts, status = 200) {
      const answer = await call(id, parts)
      expect(answer.status, answer.text).toBe(status)
      // A boundary: the checker has just held the body against the schema that the type is made from.
      return answer as Answer<Body<typeof id>>
    },
    async refused(id, parts, status, code) {
      const answer = await call(id, parts)
      expect(answer.status, answer.text).toBe(status)
      const refused = answer as Answer<Problem>
      expect(refused.body.code, answer.text).toBe(code)
      return refused
    },
    async record(event) {
      const body = { graph_id: 'demo', event_kind: 'fact', ...event }
      return (await api.ok('recordEvent', { body }, 201)).body.event_id
    },
  }
  return api
}

function toSent(checker: Checker, id: string, secret: string, { path, query, body, headers, method }: Call) {
  const operation = checker.operations.get(id)
  if (operation === undefined) throw new Error(`The contract has no operation ${id}.`)
  const resource = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    percentEncode(path?.[name] ?? ''),
  )
  const search = Object.entries(query ?? {}).map(([name, value]) => `${name}=${percentEncode(String(value))}`)
  return {
    method: method ?? operation.method,
    target: search.length === 0 ? resource : `${resource}?${search.join('&')}`,
    headers: {
      Authorization: `Bearer ${secret}`,
      ...(body !== undefined && { 'Content-Type': operation.body?.type ?? 'application/json' }),
      ...headers,
    },
    body:
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  }
}

/** The `Link` header as relation → address. */
/** The last place of a graph, which the links of its pages keep to. */
export async function lastPlaceOf(api: Api, graph_id: string): Promise<number> {
  const body = { graph_id, event_kind: 'fact', payload: { text: 'next' }, dry_run: true }
  return ((await api.ok('recordEvent', { body })).body.place ?? 0) - 1
}

export function linksOf({ headers }: Pick<RawResponse, 'headers'>): Record<string, string> {
  const links = String(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
  return Object.fromEntries(Array.from(links, ([, url = '', rel = '']) => [rel, url]))
}

/** An ISO 8601 moment in UTC, to the millisecond. */
export const MOMENT: string = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
