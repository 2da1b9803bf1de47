import { SCOPES, type Scope } from '../domain/keys.js'

/** The contract: the text that is served, and the facts that routing, negotiation and validation need. */
export interface Contract {
  readonly yaml: string
  readonly json: string
  readonly document: ContractDocument
  readonly operations: readonly Operation[]
}

/** The facts of one operation that the steps before the validator need. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** As in the contract, e.g. `/v1/contexts/{graph_id}`. */
  readonly path: string
  readonly scope: Scope | typeof ANY_SCOPE
  /** Where a request names the graph that it is about; absent when it is about none. */
  readonly graphIn?: 'path' | 'body'
  /** The media types of its 2xx answers. */
  readonly produces: readonly string[]
  /** The media types of its request body; none when it has no body. */
  readonly consumes: readonly string[]
  readonly maxBodyBytes: number
  /** Each query parameter with its type. */
  readonly query: Readonly<Record<string, string>>
  /** Where the validator fills in a default, e.g. `query/page` or `body/events/*\/source`. */
  readonly defaults: readonly string[]
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The part of OpenAPI that is read here. */
export interface ContractDocument {
  readonly openapi: string
  readonly info?: { readonly version: string }
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface PathItem extends Partial<Record<Lowercase<Method>, OperationObject>> {
  readonly parameters?: readonly MaybeRef<Parameter>[]
}

interface OperationObject {
  readonly operationId: string
  readonly 'x-required-scope': Scope | typeof ANY_SCOPE
  readonly 'x-max-body-bytes'?: number
  readonly parameters?: readonly MaybeRef<Parameter>[]
  readonly requestBody?: MaybeRef<{ readonly content: Content }>
  readonly responses: Readonly<Record<string, MaybeRef<{ readonly content?: Content }>>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: MaybeRef<Schema>
}

export interface Schema {
  readonly type?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  /** The message for a text that fails the pattern. */
  readonly 'x-hint'?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: MaybeRef<Schema>
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, MaybeRef<Schema>>>
  readonly additionalProperties?: boolean | MaybeRef<Schema>
  readonly propertyNames?: MaybeRef<Schema>
  readonly minProperties?: number
  readonly maxProperties?: number
}

type Content = Readonly<Record<string, { readonly schema?: MaybeRef<Schema> }>>
export type MaybeRef<T> = T | { readonly $ref: string }

/** A media type whose content is a line at a time, never all at once. */
export const STREAM = 'application/x-ndjson'
/** Server-sent events, which go on for as long as somebody listens. */
export const EVENTS = 'text/event-stream'

/** The scope of what every key may do, whatever it holds. */
export const ANY_SCOPE = 'any'

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

/** The contract from its text and the same as JSON. */
export function toContract(yaml: string, json: string): Contract {
  // A boundary: what this code reads of it is checked below, the rest by `npm run check`.
  const document = JSON.parse(json) as ContractDocument
  return { yaml, json, document, operations: readOperations(document) }
}

function readOperations(document: ContractDocument): Operation[] {
  const operations: Operation[] = []
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[lower(method)]
      if (operation !== undefined) operations.push(readOperation(document, path, item, method, operation))
    }
  return operations
}

function readOperation(
  document: ContractDocument,
  path: string,
  item: PathItem,
  method: Method,
  operation: OperationObject,
): Operation {
  const id = operation.operationId
  const scope = operation['x-required-scope']
  if (scope !== ANY_SCOPE && !SCOPES.includes(scope))
    throw new Error(`${id}: x-required-scope is one of ${[...SCOPES, ANY_SCOPE].join(', ')}, not ${scope}`)
  const parameters = parametersOf(document, item, operation)
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  const body = operation.requestBody && resolve(document, operation.requestBody).content
  const graphIn = placeOfGraph(document, parameters, body)
  const answers = Object.entries(operation.responses).flatMap(([status, answer]) =>
    status.startsWith('2') ? [resolve(document, answer)] : [],
  )
  return {
    id,
    method,
    path,
    scope,
    ...(graphIn !== undefined && { graphIn }),
    produces: [...new Set(answers.flatMap(({ content }) => Object.keys(content ?? {})))],
    consumes: Object.keys(body ?? {}),
    maxBodyBytes: operation['x-max-body-bytes'] ?? DEFAULT_MAX_BODY_BYTES,
    query: Object.fromEntries(
      queries.map(({ name, schema }) => [name, resolve(document, schema).type ?? 'string']),
    ),
    defaults: [
      ...queries.flatMap(({ name, schema }) => defaultsIn(document, `query/${name}`, schema)),
      ...Object.values(body ?? {}).flatMap(({ schema }) => schemaDefaults(document, 'body', schema)),
    ],
  }
}

function parametersOf(
  document: ContractDocument,
  ...owners: readonly (PathItem | OperationObject | undefined)[]
) {
  return owners.flatMap((owner) => owner?.parameters ?? []).map((parameter) => resolve(document, parameter))
}

function placeOfGraph(
  document: ContractDocument,
  parameters: readonly Parameter[],
  body: Content | undefined,
): Operation['graphIn'] {
  if (parameters.some(({ name, in: place }) => name === GRAPH && place === 'path')) return 'path'
  const schemas = Object.values(body ?? {}).map(({ schema }) => schema && resolve(document, schema))
  return schemas.some((schema) => schema?.properties?.[GRAPH] !== undefined) ? 'body' : undefined
}

/** The name of the graph in every operation. */
const GRAPH = 'graph_id'

/** References are resolved before the validator sees the contract, so a default may be behind one. */
function defaultsIn(document: ContractDocument, at: string, schema: MaybeRef<Schema>): string[] {
  const own = resolve(document, schema).default === undefined ? [] : [at]
  return [...own, ...schemaDefaults(document, at, schema)]
}

function schemaDefaults(
  document: ContractDocument,
  at: string,
  schema: MaybeRef<Schema> | undefined,
): string[] {
  if (schema === undefined) return []
  const { properties, items } = resolve(document, schema)
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, property]) =>
      defaultsIn(document, `${at}/${name}`, property),
    ),
    ...schemaDefaults(document, `${at}/*`, items),
  ]
}

/** The schema of all that a request of the operation holds, as one object of `params`, `query`, `headers` and `body`. */
export function requestSchema(document: ContractDocument, { path, method }: Operation): Schema {
  const item = document.paths[path]
  const operation = item?.[lower(method)]
  const parameters = parametersOf(document, item, operation)
  const within = (place: string): Schema => ({
    properties: Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [place === 'header' ? name.toLowerCase() : name, schema]),
    ),
  })
  const content = operation?.requestBody && resolve(document, operation.requestBody).content
  const [body] = Object.values(content ?? {}).map(({ schema }) => schema)
  return {
    properties: {
      params: within('path'),
      query: within('query'),
      headers: within('header'),
      ...(body !== undefined && { body }),
    },
  }
}

/** The target of a reference; any other value is returned as it is. */
export function resolve<T extends object>(document: ContractDocument, value: MaybeRef<T>): T {
  if (!('$ref' in value)) return value
  const [, , section = '', name = ''] = value.$ref.split('/')
  const target = document.components?.[section]?.[name]
  if (target === undefined) throw new Error(`the contract refers to ${value.$ref}, which it does not have`)
  // A boundary: the place of a reference says what kind of thing it refers to.
  return resolve(document, target as MaybeRef<T>)
}

export function lower(method: Method): Lowercase<Method> {
  // `toLowerCase` is typed as any string.
  return method.toLowerCase() as Lowercase<Method>
}
