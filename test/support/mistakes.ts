import fc from 'fast-check'
import { type Arbitraries, arbitraries } from './arbitrary.js'
import { type Described, deref, readOpenApi, type Schema } from './openapi.js'

/** A value that the contract forbids, and the place below that of the value which the error names. */
type Mistake = readonly [value: unknown, at: string]

const document = readOpenApi()
let usual: Arbitraries | undefined

/** No letter, too early and too late, and what no name, id or moment has. */
const UNFIT = ['', '\u202e', '\0', 'a\nb', ' x']

/** Each way in which a text that is no JSON, such as one in an address, can miss a schema. */
function mistakesInText(schema: Schema): string[] {
  const { type, format, enum: values, minimum = 0, maximum = 0, ...text } = resolve(schema)
  const { minLength = 0, maxLength, pattern } = text
  if (values !== undefined) return ['none_of_them', 'constructor', String(values[0]).toUpperCase()]
  if (type === 'integer') return ['x', '', '1e0', String(minimum - 1), String(maximum + 1)]
  if (type === 'boolean') return ['TRUE', 'yes', '1', '0', 'null', ' true', 'false,true', '']
  return [
    ...(minLength > 0 ? [''] : []),
    ...(format === 'date-time' ? ['tomorrow', '2099-02-31T00:00:00Z'] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(pattern === undefined ? [] : UNFIT.filter((text) => !new RegExp(pattern, 'u').test(text))),
  ]
}

/** Each way in which a value can miss a schema: of another type, beyond each bound, and wrong in each of its parts. */
function* mistakesIn(schema: Schema): Generator<Mistake> {
  const target = resolve(schema)
  for (const other of [5, 'text', true, [], {}, null]) if (typeOf(other) !== target.type) yield [other, '']
  if (target.type === 'string') for (const text of mistakesInText(schema)) yield [text, '']
  if (target.type === 'integer') for (const number of numbersBeyond(target)) yield [number, '']
  if (target.type === 'array') yield* mistakesInList(target)
  if (target.type === 'object' && target.properties !== undefined) yield* mistakesInFields(target)
  if (target.type === 'object' && target.properties === undefined) yield* mistakesInMap(target)
}

function* mistakesInList({ items = {}, minItems = 0, maxItems, uniqueItems }: Schema): Generator<Mistake> {
  const good = exampleOf(items)
  if (minItems > 0) yield [[], '']
  if (maxItems !== undefined) yield [Array(maxItems + 1).fill(good), '']
  if (uniqueItems === true) yield [[good, good], '']
  for (const [value, at] of mistakesIn(items)) yield [[good, value], `/1${at}`]
}

/** Of an object that lists its fields. */
function* mistakesInFields({ properties = {}, required = [] }: Schema): Generator<Mistake> {
  const good = Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]))
  for (const name of required) yield [{ ...good, [name]: undefined }, `/${name}`]
  for (const name of ['unknown', 'constructor', '__proto__'])
    yield [Object.fromEntries([...Object.entries(good), [name, 1]]), `/${name}`]
  for (const [name, property] of Object.entries(properties))
    for (const [value, at] of mistakesIn(property)) yield [{ ...good, [name]: value }, `/${name}${at}`]
}

/** Of an object whose keys are for the caller to choose. */
function* mistakesInMap({ minProperties = 0, maxProperties, ...schema }: Schema): Generator<Mistake> {
  const { propertyNames, additionalProperties } = schema
  const parts = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const good = parts === undefined ? 1 : exampleOf(parts)
  if (minProperties > 0) yield [{}, '']
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, good]))
  if (maxProperties !== undefined) yield [many(maxProperties + 1), '']
  if (propertyNames !== undefined)
    for (const key of mistakesInText(propertyNames)) yield [{ [key]: good }, '']
  if (parts !== undefined) for (const [value, at] of mistakesIn(parts)) yield [{ key: value }, `/key${at}`]
}

function numbersBeyond({ minimum, maximum }: Schema): number[] {
  return [
    1.5,
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ]
}

/** Requests of an operation with one mistake each, beside a good one, and the place that the error names. */
export function* badRequests(
  { parameters, body }: Described,
  good: Good,
): Generator<readonly [Good, string]> {
  // An address without a part of its path is another one, and NUL is refused wherever it stands in one.
  for (const { name, in: place, schema } of parameters)
    for (const text of place === 'header' ? [] : mistakesInText(schema))
      if (place !== 'path' || !['', '\0'].includes(text)) {
        const parts =
          place === 'path' ? { path: { ...good.path, [name]: text } } : { query: { [name]: text } }
        yield [{ ...good, ...parts }, `/${place}/${name}`]
      }
  for (const name of ['unknown', 'constructor', '__proto__'])
    yield [{ ...good, query: JSON.parse(`{"${name}":"1"}`) }, `/query/${name}`]
  if (body?.type !== 'application/json') return
  const mine = Object.entries(Object(good.body))
  for (const [value, at] of mistakesIn(body.media.schema ?? {})) {
    const whole = typeOf(value) === 'object' ? { ...Object.fromEntries(mine), ...Object(value) } : value
    yield [{ ...good, body: JSON.stringify(whole) }, `/body${at}`]
  }
}

interface Good {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

function exampleOf(schema: Schema): unknown {
  usual ??= arbitraries(document)
  return fc.sample(usual.valid(schema), { numRuns: 1, seed: 1 })[0]
}

function resolve(schema: Schema): Schema {
  return deref(document, schema)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? 'integer' : typeof value
}
