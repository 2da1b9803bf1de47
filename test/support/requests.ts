import fc, { type Arbitrary } from 'fast-check'
import type { Arbitraries } from './arbitrary.js'
import { exportOf, NDJSON } from './ndjson.js'
import { type Described, deref, type Json, type OpenApi, type Parameter, type Schema } from './openapi.js'
import { percentEncode, type RawRequest } from './wire.js'
import { HOSTILE_WORDS, isText } from './words.js'

/** Requests of one operation, made from nothing but the contract. */
export interface Requests {
  /** Fits the contract in every part. */
  readonly valid: Arbitrary<RawRequest>
  /** Has one mistake that the contract forbids. */
  readonly invalid: Arbitrary<RawRequest>
  /** Has the right method and path, and arbitrary content. */
  readonly hostile: Arbitrary<RawRequest>
}

/** The parts of a request, encoded as they go over the wire. */
interface Parts {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function requestsOf(document: OpenApi, operation: Described, values: Arbitraries): Requests {
  const { parameters, body } = operation
  const within = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const schemaOf = ({ schema }: Parameter) => deref(document, schema)
  const bodySchema: Schema = body?.media.schema ?? {}
  const isLines = body?.type === NDJSON
  const isJson = !isLines && body?.type.endsWith('json') === true

  const validPath = recordOf(
    within('path').map(({ name, schema }) => [name, values.valid(schema).map(String).map(percentEncode)]),
  )
  const validPair = ({ name, schema, allowReserved }: Parameter) =>
    fc
      .tuple(
        values.valid(schema).map(String),
        fc.constantFrom(percentEncode, formEncode, ...(allowReserved ? [reservedEncode] : [])),
      )
      .map(([value, encode]) => `${name}=${encode(value)}`)
  const validQuery = fc
    .tuple(
      ...within('query').map((it) => (it.required ? validPair(it) : fc.option(validPair(it), { nil: '' }))),
    )
    .map((pairs) => pairs.filter((pair) => pair !== ''))
  const validHeaders = fc
    .tuple(
      recordOf(
        within('header').map(({ name, schema }) => [
          name,
          values.valid(schema).map(String).filter(isHeaderText),
        ]),
      ),
      fc.boolean(),
    )
    .map(([headers, isSent]) => (isSent ? headers : {}))
  const textOf = (value: Json) => (isJson || typeof value !== 'string' ? JSON.stringify(value) : value)
  /** Exports of which each line fits the schema, but not always the whole. */
  const linesOf = (line: Arbitrary<Json>) =>
    fc
      .array(line, { minLength: 1, maxLength: 3 })
      .map((lines) => exportOf(lines.map((it) => JSON.stringify(it))))
  const lineSchema = deref(document, bodySchema).contentSchema ?? {}
  const validBody: Arbitrary<string | undefined> =
    body === undefined
      ? fc.constant(undefined)
      : isLines
        ? linesOf(values.valid(lineSchema))
        : values.valid(bodySchema).map(textOf)
  const validParts: Arbitrary<Parts> = fc.record({
    path: validPath,
    query: validQuery,
    headers: validHeaders,
    body: validBody,
  })

  const withMistake = <T>(mistake: Arbitrary<T>, apply: (parts: Parts, mistake: T) => Parts) =>
    fc.tuple(validParts, mistake).map(([parts, value]) => apply(parts, value))
  const withPair = (parts: Parts, pair: string): Parts => ({
    ...parts,
    query: [...parts.query.filter((other) => nameOf(other) !== nameOf(pair)), pair],
  })

  const wrongPaths = within('path').map(({ name, schema }) =>
    withMistake(texts(values.invalid(schema)), (parts, value) => ({
      ...parts,
      path: { ...parts.path, [name]: percentEncode(value) },
    })),
  )
  const wrongPairs = within('query').flatMap((parameter) => [
    withMistake(wrongQueryText(parameter.schema, schemaOf(parameter), values), (parts, value) =>
      withPair(parts, `${parameter.name}=${percentEncode(value)}`),
    ),
    withMistake(fc.constantFrom('%', '%zz', '%ff', '%00', '%ed%a0%80'), (parts, value) =>
      withPair(parts, `${parameter.name}=${value}`),
    ),
    withMistake(validPair(parameter), (parts, pair) => {
      const once = withPair(parts, pair)
      return { ...once, query: [...once.query, pair] }
    }),
  ])
  const known = new Set(within('query').map(({ name }) => name))
  const unknownPair = withMistake(
    fc
      .constantFrom(
        'unknown',
        'Page',
        'page[]',
        'graph_id',
        ...HOSTILE_WORDS.filter((word) => word !== '' && word.length < 99),
      )
      .filter((name) => !known.has(name)),
    (parts, name) => ({ ...parts, query: [...parts.query, `${percentEncode(name)}=1`] }),
  )
  const wrongLines = () => [
    withMistake(linesOf(values.invalid(lineSchema)), (parts, text) => ({ ...parts, body: text })),
    withMistake(fc.constantFrom(...LINE_CORRUPTIONS), (parts, corrupt) => ({
      ...parts,
      body: corrupt(parts.body ?? ''),
    })),
  ]
  const wrongBodies =
    body === undefined || !isJson
      ? isLines
        ? wrongLines()
        : []
      : [
          withMistake(values.invalid(bodySchema), (parts, value) => ({
            ...parts,
            body: JSON.stringify(value),
          })),
          withMistake(fc.constantFrom(...BODY_CORRUPTIONS), (parts, corrupt) => ({
            ...parts,
            body: corrupt(parts.body ?? ''),
          })),
        ]
  const bodyFirst = wrongBodies.map((arbitrary) => ({ weight: 4, arbitrary }))
  const others = [...wrongPaths, ...wrongPairs, unknownPair].map((arbitrary) => ({ weight: 1, arbitrary }))

  const anyWord = fc.constantFrom(...HOSTILE_WORDS)
  const hostileSegment = (schema: Schema) =>
    fc.oneof(
      { weight: 3, arbitrary: values.valid(schema).map(String).map(percentEncode) },
      { weight: 2, arbitrary: anyWord.filter((word) => word !== '').map(percentEncode) },
      // Unencoded, as a careless client would send it.
      { weight: 1, arbitrary: anyWord.filter((word) => /^[!-~]+$/.test(word) && !/[/?#]/.test(word)) },
    )
  const hostilePair = fc
    .tuple(
      fc.oneof(fc.constantFrom('q', ...known), anyWord),
      anyWord,
      fc.constantFrom(percentEncode, formEncode),
    )
    .map(([name, value, encode]) => `${encode(name)}=${encode(value)}`)
  const hostileParts: Arbitrary<Parts> = fc.record({
    path: recordOf(within('path').map(({ name, schema }) => [name, hostileSegment(schema)])),
    query: fc.oneof(validQuery, fc.array(hostilePair, { maxLength: 3 })),
    headers: validHeaders,
    body:
      body === undefined
        ? fc.constant(undefined)
        : isLines
          ? linesOf(values.hostile(lineSchema))
          : values.hostile(bodySchema).map(textOf),
  })

  const toRequest = ({ path, query, headers, body: text }: Parts): RawRequest => {
    const resource = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '')
    return {
      method: operation.method,
      target: query.length === 0 ? resource : `${resource}?${query.join('&')}`,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': body.type }) },
      body: text,
    }
  }
  return {
    valid: validParts.map(toRequest),
    invalid: fc.oneof(...bodyFirst, ...others).map(toRequest),
    hostile: hostileParts.map(toRequest),
  }
}

/** Query values that are invalid for the schema. */
function wrongQueryText(schema: Schema, target: Schema, values: Arbitraries): Arbitrary<string> {
  const { type, minimum, maximum } = target
  if (type === 'integer') {
    const outside = [
      ...(minimum === undefined ? [] : [String(minimum - 1)]),
      ...(maximum === undefined ? [] : [String(maximum + 1)]),
    ]
    return fc.constantFrom(
      '',
      'x',
      '1e1',
      '1e999',
      '+1',
      '01',
      '1.0',
      ' 1',
      '0x10',
      'NaN',
      '-0',
      '１',
      '9'.repeat(400),
      ...outside,
    )
  }
  if (type === 'boolean') return fc.constantFrom('', 'yes', '1', '0', 'TRUE', 'null', ' true')
  return texts(values.invalid(schema))
}

function texts(values: Arbitrary<Json>): Arbitrary<string> {
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}

/** Ways to turn the text of a JSON object into something that must be refused. */
const BODY_CORRUPTIONS: readonly ((text: string) => string)[] = [
  () => '',
  () => '{',
  () => '\u0000',
  () => '['.repeat(100),
  (text) => text.slice(0, -1),
  (text) => `${text}}`,
  (text) => `${text},`,
  (text) => text.replace(':', '='),
  (text) => text.replaceAll('"', "'"),
  (text) => `{"unknown":1e999,${text.slice(1)}`,
  (text) => `{"unknown":NaN,${text.slice(1)}`,
  (text) => `[${text}]`,
  (text) => JSON.stringify(text),
]

/** Ways to turn an export into something that must be refused. */
const LINE_CORRUPTIONS: readonly ((text: string) => string)[] = [
  () => '',
  () => '\n',
  (text) => text.replace(/^.*\n/, ''),
  (text) => text.replace(/.*\n$/, ''),
  (text) => text.replaceAll('\n', ''),
  (text) => text.slice(0, -5),
  (text) => `${text}{}\n`,
  (text) => text.replace('"loregraph":3', '"loregraph":4'),
  (text) => text.replace(/"count":\d+/, '"count":99'),
  (text) => text.replace('"event_kind"', ' "event_kind"'),
]

function recordOf(
  fields: readonly (readonly [string, Arbitrary<string>])[],
): Arbitrary<Record<string, string>> {
  return fc
    .tuple(...fields.map(([name, value]) => value.map((text): [string, string] => [name, text])))
    .map((entries) => Object.fromEntries(entries))
}

/** As HTML forms and `URLSearchParams` do it. */
function formEncode(text: string): string {
  return isText(text) ? new URLSearchParams({ '': text }).toString().slice(1) : percentEncode(text)
}

/** What `allowReserved` lets a client leave as it is. */
function reservedEncode(text: string): string {
  return percentEncode(text).replace(/%(2F|3A|3F|40|24|2C|3B|5B|5D)/g, (code) => decodeURIComponent(code))
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? ''
}

function isHeaderText(text: string): boolean {
  return /^[!-~]([ -~]*[!-~])?$/.test(text)
}
