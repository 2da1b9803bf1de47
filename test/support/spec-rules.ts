import {
  type Content,
  createSchemas,
  deref,
  examplesOf,
  type Json,
  type Media,
  type OpenApi,
  type OperationObject,
  operationsOf,
  type Parameter,
  type Schema,
} from './openapi.js'

/** Every rule of the contract that a linter cannot see whole: what is wrong, each with its place. */
export function* findingsIn(document: OpenApi): Generator<string> {
  for (const { id, method, path, object, parameters, body } of operationsOf(document)) {
    yield* operationFindings(document, id || `${method} ${path}`, object)
    for (const it of parameters) yield* parameterFindings(document, `${id}?${it.name}`, it)
    if (body !== undefined) yield* requestFindings(document, id, body.media.schema ?? {}, new Set())
  }
  yield* inlineFindings(document)
  yield* exampleFindings(document)
}

function operationFindings(document: OpenApi, at: string, object: OperationObject): string[] {
  const { operationId, tags, responses, requestBody } = object
  const content: [string, Content | undefined][] = [
    ['request', requestBody && deref(document, requestBody).content],
    ...Object.entries(responses).map(([status, response]): [string, Content | undefined] => [
      status,
      deref(document, response).content,
    ]),
  ]
  return [
    ...(operationId === undefined || !/^[a-z][a-zA-Z]+$/.test(operationId) ? [`${at}: operationId`] : []),
    ...(tags?.length === 1 ? [] : [`${at}: one tag`]),
    ...(['read', 'write', 'admin', 'any'].includes(object['x-required-scope'] ?? '') ? [] : [`${at}: scope`]),
    ...['401', '403', '429', 'default']
      // What any key may ask is refused to none.
      .filter((status) => status !== '403' || object['x-required-scope'] !== 'any')
      .filter((status) => responses[status] === undefined)
      .map((status) => `${at}: no ${status}`),
    ...Object.entries(responses)
      .filter(([status]) => /^[45]|default/.test(status))
      .filter(([, response]) => deref(document, response).headers?.['Link'] === undefined)
      .map(([status]) => `${at}: ${status} leads to no help`),
    ...(Object.keys(responses).some((status) => status.startsWith('2')) ? [] : [`${at}: no success`]),
    ...content.flatMap(([name, media]) => mediaFindings(`${at} ${name}`, media)),
  ]
}

function mediaFindings(at: string, content: Content | undefined): string[] {
  const media = Object.entries(content ?? {})
  return [
    ...(media.length > 1 ? [`${at}: more than one media type`] : []),
    ...media.flatMap(([type, it]) => [
      ...(examplesOf(it).size > 0 ? [] : [`${at} ${type}: no example`]),
      ...(isPlain(it.schema ?? {}) ? [] : [`${at} ${type}: a schema that is not named`]),
    ]),
  ]
}

function parameterFindings(document: OpenApi, at: string, parameter: Parameter): string[] {
  const { in: place, schema, allowReserved, example } = parameter
  const { type, enum: members } = deref(document, schema)
  const isFreeText = place === 'query' && type === 'string' && members === undefined
  return [
    ...requestFindings(document, at, schema, new Set()),
    ...(isPlain(schema) ? [] : [`${at}: a schema that is not named`]),
    ...(isFreeText && allowReserved !== true ? [`${at}: free text without allowReserved`] : []),
    ...(example === undefined ? [`${at}: no example`] : []),
  ]
}

/** Bounds on everything that a caller may send, and no field that is not listed. */
function requestFindings(document: OpenApi, at: string, schema: Schema, seen: Set<string>): string[] {
  if (schema.$ref !== undefined && seen.has(schema.$ref)) return []
  const inner = schema.$ref === undefined ? seen : new Set([...seen, schema.$ref])
  const target = deref(document, schema)
  const { type, properties, additionalProperties, items, propertyNames } = target
  const name = schema.$ref?.split('/').at(-1)
  const place = name === undefined ? at : `${at}→${name}`
  const within = (part: Schema | undefined, step: string) =>
    part === undefined ? [] : requestFindings(document, `${place}${step}`, part, inner)
  const isMap = type === 'object' && properties === undefined
  const lacks = (...keywords: (keyof Schema)[]) =>
    keywords.filter((keyword) => target[keyword] === undefined).map((keyword) => `${place}: no ${keyword}`)
  return [
    ...(type === undefined && target.enum === undefined ? [`${place}: no type`] : []),
    ...(type === 'string' && target.enum === undefined ? lacks('maxLength') : []),
    ...(target.pattern === undefined ? [] : lacks('x-hint')),
    ...(type === 'integer' || type === 'number' ? lacks('minimum', 'maximum') : []),
    ...(type === 'array' ? lacks('maxItems', 'items') : []),
    ...(isMap ? lacks('maxProperties', 'additionalProperties') : []),
    ...(type === 'object' && !isMap && additionalProperties !== false ? [`${place}: not closed`] : []),
    ...(isMap && typeof additionalProperties === 'object' ? lacks('propertyNames') : []),
    ...Object.entries(properties ?? {}).flatMap(([key, part]) => within(part, `.${key}`)),
    ...within(items, '[]'),
    ...within(propertyNames, '{key}'),
    ...within(typeof additionalProperties === 'object' ? additionalProperties : undefined, '{}'),
  ]
}

/** A reference, or a scalar small enough to need no name. */
function isPlain({ $ref, type }: Schema): boolean {
  return $ref !== undefined || (type !== undefined && !['object', 'array'].includes(type))
}

/** Objects are named wherever they stand, and no schema is put together from others. */
function inlineFindings(document: OpenApi): string[] {
  const schemas = Object.entries(document.components['schemas'] ?? {}) as [string, Schema][]
  const isNamed = (part: Schema) => part.$ref !== undefined || part.type !== 'object'
  return [
    ...schemas.flatMap(([name, { properties, items, additionalProperties }]) => [
      ...Object.entries(properties ?? {}).flatMap(([key, part]) => [
        ...(isNamed(part) ? [] : [`${name}.${key}: an object that is not named`]),
        ...(part.items === undefined || isNamed(part.items)
          ? []
          : [`${name}.${key}[]: an object that is not named`]),
      ]),
      ...(items === undefined || isNamed(items) ? [] : [`${name}[]: an object that is not named`]),
      ...(typeof additionalProperties !== 'object' || isPlain(additionalProperties)
        ? []
        : [`${name}{}: an object that is not named`]),
    ]),
    ...combined(document, ''),
  ]
}

const COMBINING = ['oneOf', 'anyOf', 'allOf', 'not', 'nullable', 'prefixItems', '$defs']

function combined(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    // What stands in an example is data.
    key === 'example' || key === 'examples'
      ? []
      : [...(COMBINING.includes(key) ? [`${at}: ${key}`] : []), ...combined(part, `${at}/${key}`)],
  )
}

/** Every example, of bodies, parameters and headers, against its schema. */
function exampleFindings(document: OpenApi): string[] {
  const schemas = createSchemas(document)
  const check = (at: string, schema: Schema | undefined, example: Json | undefined) => {
    if (schema === undefined || example === undefined) return []
    const validate = schemas(schema)
    return validate(example) ? [] : [`${at}: the example does not fit: ${validate.errors?.[0]?.message}`]
  }
  const checkMedia = (at: string, content: Readonly<Record<string, Media>> = {}) =>
    Object.values(content).flatMap((media) =>
      [...examplesOf(media)].flatMap(([name, example]) => check(`${at} ${name}`, media.schema, example)),
    )
  return [
    ...operationsOf(document).flatMap(({ id, object, parameters }) => [
      ...checkMedia(`${id} request`, object.requestBody && deref(document, object.requestBody).content),
      ...parameters.flatMap((it) => check(`${id}?${it.name}`, it.schema, it.example)),
      ...Object.entries(object.responses).flatMap(([status, it]) => {
        const { content, headers } = deref(document, it)
        return [
          ...checkMedia(`${id} ${status}`, content),
          ...Object.entries(headers ?? {}).flatMap(([name, header]) => {
            const { schema, example } = deref(document, header)
            return check(`${id} ${status} ${name}`, schema, example)
          }),
        ]
      }),
    ]),
  ]
}
