import { createClient, type LoregraphClient } from '../../client/index.js'
import {
  type ContractDocument,
  type MaybeRef,
  requestSchema,
  resolve,
  type Schema,
} from '../../contract/contract.js'
import { loadContract } from '../../contract/load-contract.js'
import { type Caller, type Handlers, isStream, type OperationId } from '../../contract/operations.js'
import type { FieldError } from '../../domain/failure.js'
import { ROOT_KEY, SCOPES } from '../../domain/keys.js'
import { madeOnce } from '../../http/pages/made-once.js'
import { mistakeInText, schemaMessage } from '../../http/validation/schema-messages.js'
import { Refusal } from './api.js'

interface Input {
  readonly path: object
  readonly query: object
  readonly headers: object
  readonly body: unknown
}

type AnyHandler = (input: Input, caller: Caller) => Promise<{ status: number; body: unknown }>

const contract = madeOnce(loadContract)

/** A process that can write to the folder or the database can do anything. */
const ROOT: Caller = { requestId: 'command line', principal: { keyId: ROOT_KEY, scopes: SCOPES } }

/**
 * A client whose requests go to the handlers of the service in this process, which `ready` gives with the first request that
 * is within the contract's limits. What a handler throws, the request rejects with. The steps that a service has before its
 * handlers would take longer to load than most commands take.
 */
export function inProcessClient(ready: () => Promise<Handlers>): LoregraphClient {
  const client = createClient({ baseUrl: 'http://localhost', secret: '' })
  client.use({
    async onRequest({ request, schemaPath, params: { path = {}, query = {} } }) {
      const { method } = request
      const { document, operations } = await contract()
      const operation = operations.find((one) => one.method === method && one.path === schemaPath)
      if (operation === undefined) throw new Error(`The contract has no ${method} ${schemaPath}.`)
      const body: unknown = request.body === null ? undefined : await request.json()
      const parts = { params: path, query, body }
      const mistakes = [...beyondLimits(document, requestSchema(document, operation), parts)]
      if (mistakes.length > 0) throw refusalOf(mistakes)
      const handlers = await ready()
      // A boundary: the client has made the request fit the operation's types, which the compiler cannot know.
      const handler = handlers[operation.id as OperationId] as unknown as AnyHandler
      const reply = await handler({ path, query, headers: {}, body }, ROOT)
      return toResponse(reply)
    },
  })
  return client
}

function refusalOf(mistakes: readonly FieldError[]): Refusal {
  const errors = mistakes.map((one) => ({ ...one, path: one.path.replace(/^\/params/, '/path') }))
  const detail = errors.map(({ path, message }) => `${path} ${message}.`).join('\n')
  return new Refusal('invalid_request', detail, errors)
}

function toResponse({ status, body }: Awaited<ReturnType<AnyHandler>>): Response {
  if (body === undefined) return new Response(null, { status })
  if (isStream(body)) return new Response(ReadableStream.from(encoded(body)), { status })
  return Response.json(body, { status })
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const text of texts) yield utf8.encode(text)
}

/**
 * The fields of a request that are beyond the contract's limits. That no other field is there, and each of its type, the
 * typed client has seen to.
 */
function* beyondLimits(
  document: ContractDocument,
  part: MaybeRef<Schema>,
  value: unknown,
  path = '',
): Generator<FieldError> {
  const schema = resolve(document, part)
  const keyword = mistakeIn(schema, value)
  if (keyword !== undefined) {
    yield { path, message: schemaMessage(keyword, schema) ?? 'is not allowed' }
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries())
      if (schema.items !== undefined) yield* beyondLimits(document, schema.items, item, `${path}/${i}`)
  } else if (typeof value === 'object') {
    for (const [name, field] of Object.entries({ ...value })) {
      const own = schema.properties?.[name]
      if (own !== undefined) yield* beyondLimits(document, own, field, `${path}/${name}`)
    }
  }
}

/** The keyword of the schema that a value fails, if any. */
function mistakeIn(schema: Schema, value: unknown): string | undefined {
  // JSON has it for a number that is none.
  if (value === null) return 'type'
  if (typeof value === 'string')
    return mistakeInText(schema, value) ?? (schema.enum?.includes(value) === false ? 'enum' : undefined)
  if (typeof value === 'number') {
    const { minimum = value, maximum = value } = schema
    return Number.isInteger(value) && value >= minimum && value <= maximum ? undefined : 'minimum'
  }
  if (Array.isArray(value) && value.length < (schema.minItems ?? 0)) return 'minItems'
  return Array.isArray(value) && value.length > (schema.maxItems ?? value.length) ? 'maxItems' : undefined
}
