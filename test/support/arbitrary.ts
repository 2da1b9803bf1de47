import fc, { type Arbitrary } from 'fast-check'
import { createSchemas, deref, type Json, type OpenApi, type Schema } from './openapi.js'
import { HOSTILE_WORDS, isText } from './words.js'

/** Values that fit a schema of the contract, values that do not, and values of its shape with anything for text. */
export interface Arbitraries {
  valid(schema: Schema): Arbitrary<Json>
  invalid(schema: Schema): Arbitrary<Json>
  hostile(schema: Schema): Arbitrary<Json>
}

/** Words that lead somewhere in the data under test, by the name of the schema that they fit. */
export type Known = Readonly<Record<string, readonly string[]>>

/** Everything that the arbitraries can make; a schema that says more than they understand is not passed over. */
const UNDERSTOOD = new Set(
  '$ref type description enum default format pattern minLength maxLength minimum maximum items minItems maxItems uniqueItems properties required additionalProperties propertyNames minProperties maxProperties x-hint x-enum-varnames'.split(
    ' ',
  ),
)
const MAX_ITEMS = 4
const LONGEST_PLAIN = 24

export function arbitraries(
  document: OpenApi,
  known: Known = {},
  schemas = createSchemas(document),
): Arbitraries {
  const fits = (schema: Schema, value: Json) => schemas(schema)(value)
  const word = fc.constantFrom(...HOSTILE_WORDS)
  const anyText = fc.oneof(
    { weight: 3, arbitrary: word },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: LONGEST_PLAIN }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: LONGEST_PLAIN }) },
  )
  const anyJson = jsonOf(anyText)

  const resolve = (schema: Schema): Schema => {
    const target = deref(document, schema)
    for (const keyword of Object.keys(target))
      if (!UNDERSTOOD.has(keyword)) throw new Error(`The arbitraries do not know the keyword ${keyword}.`)
    return target
  }

  const valid = remembered((schema: Schema): Arbitrary<Json> => {
    const target = resolve(schema)
    if (target.enum !== undefined) return fc.constantFrom(...target.enum)
    switch (target.type) {
      case 'string':
        return validText(schema, target)
      case 'integer':
        return whole(target)
      case 'number':
        return fc.double({ min: target.minimum ?? -1e9, max: target.maximum ?? 1e9, noNaN: true })
      case 'boolean':
        return fc.boolean()
      case 'array':
        return listOf(target, valid)
      case 'object':
        return target.properties === undefined ? mapOf(target, valid) : recordOf(target, valid)
      default:
        throw new Error(`The arbitraries do not know the type ${target.type}.`)
    }
  })

  /** Known words, hostile words that fit, the longest text that fits, and random text of the right form. */
  const validText = (schema: Schema, target: Schema): Arbitrary<Json> => {
    const fit = (text: string) => isText(text) && fits(schema, text)
    const name = schema.$ref?.split('/').at(-1) ?? ''
    const fixed = (texts: readonly string[], weight: number) =>
      texts.length === 0 ? [] : [{ weight, arbitrary: fc.constantFrom(...texts) }]
    const random = (): Arbitrary<string> => {
      if (target.format === 'date-time') return moments
      const { minLength = 0, maxLength = LONGEST_PLAIN } = target
      if (target.pattern !== undefined) return fc.stringMatching(new RegExp(target.pattern, 'u'))
      const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONGEST_PLAIN)) }
      return fc.string({ unit: 'grapheme', ...length })
    }
    return fc.oneof(
      ...fixed((known[name] ?? []).filter(fit), 16),
      ...fixed(HOSTILE_WORDS.filter(fit), 3),
      ...fixed(['x', '🦊'].map((letter) => letter.repeat(target.maxLength ?? 1)).filter(fit), 1),
      { weight: 2, arbitrary: random().filter(fit) },
    )
  }

  const listOf = (target: Schema, part: typeof valid): Arbitrary<Json[]> => {
    const { items = {}, minItems = 0, maxItems = MAX_ITEMS, uniqueItems } = target
    const size = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)) }
    return uniqueItems === true && part === valid
      ? fc.uniqueArray(part(items), { ...size, selector: (item) => JSON.stringify(item) })
      : fc.array(part(items), size)
  }

  /** Built from entries, so that `__proto__` becomes a key like any other. */
  const mapOf = (target: Schema, part: typeof valid): Arbitrary<Json> => {
    const { propertyNames, additionalProperties, minProperties = 0, maxProperties = MAX_ITEMS } = target
    const key =
      part === valid && propertyNames !== undefined ? valid(propertyNames).map(String) : textKeys(part)
    const value = typeof additionalProperties === 'object' ? part(additionalProperties) : payloads(part)
    const size = {
      minLength: minProperties,
      maxLength: Math.max(minProperties, Math.min(maxProperties, MAX_ITEMS)),
    }
    return fc
      .uniqueArray(fc.tuple(key, value), { ...size, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries))
  }
  const textKeys = (part: typeof valid) => (part === valid ? anyText.filter(isText) : anyText)
  const payloads = (part: typeof valid) => (part === valid ? jsonOf(anyText.filter(isText)) : anyJson)

  const recordOf = ({ properties = {}, required = [] }: Schema, part: typeof valid): Arbitrary<Json> => {
    const fields = Object.entries(properties).map(([name, property]) =>
      required.includes(name)
        ? part(property).map((value) => [[name, value]] as [string, Json][])
        : fc.option(part(property)).map((value): [string, Json][] => (value === null ? [] : [[name, value]])),
    )
    return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()))
  }

  /** One mistake in a value that would otherwise fit; whatever fits by accident is thrown away. */
  const invalid = remembered(
    (schema: Schema): Arbitrary<Json> =>
      fc.oneof(...mistakes(schema)).filter((value) => !fits(schema, value)),
  )

  const mistakes = (schema: Schema): Arbitrary<Json>[] => {
    const target = resolve(schema)
    const wrongType = fc.constantFrom<Json>(null, true, 7, 1.5, 'text', '', [], [null], {}, { a: 1 })
    const own: Record<string, () => Arbitrary<Json>[]> = {
      string: () => [
        anyText,
        fc.constantFrom('', ' ', 'x'.repeat((target.maxLength ?? 0) + 1)),
        ...(target.maxLength === undefined ? [] : [fc.constant('🦊'.repeat(target.maxLength + 1))]),
      ],
      integer: () => [
        fc.constantFrom((target.minimum ?? 0) - 1, (target.maximum ?? 0) + 1, 0.5, -1, 1e308, 2 ** 53, 1e21),
      ],
      number: () => [fc.constantFrom((target.minimum ?? 0) - 1, (target.maximum ?? 0) + 1)],
      boolean: () => [fc.constantFrom('true', 'false', 0, 1)],
      array: () => wrongLists(target),
      object: () => (target.properties === undefined ? wrongMaps(target) : wrongRecords(schema, target)),
    }
    return [wrongType, ...(own[target.type ?? '']?.() ?? [])]
  }

  const wrongLists = (target: Schema): Arbitrary<Json>[] => {
    const { items = {}, minItems = 0, maxItems } = target
    const short = minItems > 0 ? [fc.constant<Json>([])] : []
    const long =
      maxItems === undefined ? [] : [valid(items).map((item): Json => Array(maxItems + 1).fill(item))]
    const spoilt = fc
      .tuple(listOf(target, valid), invalid(items), fc.nat(MAX_ITEMS))
      .map(([list, item, at]) => [...list.slice(0, at), item, ...list.slice(at)])
    const twice = target.uniqueItems === true ? [valid(items).map((item): Json => [item, item])] : []
    return [...short, ...long, ...twice, spoilt]
  }

  const wrongMaps = (target: Schema): Arbitrary<Json>[] => {
    const { propertyNames, additionalProperties, maxProperties } = target
    const long =
      maxProperties === undefined
        ? []
        : [
            fc.constant(
              Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, i) => [`k${i}`, []])),
            ),
          ]
    const extra = (key: Arbitrary<string>, value: Arbitrary<Json>) =>
      fc
        .tuple(mapOf(target, valid), key, value)
        .map(([map, name, item]): Json => Object.fromEntries([...Object.entries(map ?? {}), [name, item]]))
    const value = typeof additionalProperties === 'object' ? additionalProperties : undefined
    return [
      ...long,
      ...(propertyNames === undefined ? [] : [extra(anyText, value === undefined ? anyJson : valid(value))]),
      ...(value === undefined
        ? []
        : [extra(propertyNames === undefined ? anyText : valid(propertyNames).map(String), invalid(value))]),
    ]
  }

  const wrongRecords = (schema: Schema, { properties = {}, required = [], additionalProperties }: Schema) => {
    const change = (name: Arbitrary<string>, value: Arbitrary<Json>) =>
      fc
        .tuple(valid(schema), name, value)
        .map(
          ([record, key, item]): Json => Object.fromEntries([...Object.entries(record ?? {}), [key, item]]),
        )
    const missing = required.map((name) =>
      valid(schema).map(
        (record): Json => Object.fromEntries(Object.entries(record ?? {}).filter(([key]) => key !== name)),
      ),
    )
    const unknown = additionalProperties === false ? [change(anyText, anyJson)] : []
    const spoilt = Object.entries(properties).map(([name, property]) =>
      change(fc.constant(name), invalid(property)),
    )
    return [...missing, ...unknown, ...spoilt]
  }

  /** The shape of the schema, with any text, enumerated or not, in the place of text. */
  const hostile = remembered((schema: Schema): Arbitrary<Json> => {
    const target = resolve(schema)
    const some = (arbitrary: Arbitrary<Json>) =>
      fc.oneof(
        { weight: 4, arbitrary: valid(schema) },
        { weight: 2, arbitrary },
        { weight: 1, arbitrary: anyJson },
      )
    switch (target.type) {
      case 'array':
        return some(listOf(target, hostile))
      case 'object':
        return target.properties === undefined ? mapOf(target, hostile) : recordOf(target, hostile)
      default:
        return some(anyText)
    }
  })

  return { valid, invalid, hostile }
}

/** Most schemas are reached in many ways, and each would be made anew. */
function remembered(make: (schema: Schema) => Arbitrary<Json>): (schema: Schema) => Arbitrary<Json> {
  const made = new Map<string, Arbitrary<Json>>()
  return (schema) => {
    const key = JSON.stringify(schema)
    const arbitrary = made.get(key) ?? make(schema)
    made.set(key, arbitrary)
    return arbitrary
  }
}

function whole({ minimum = -1e9, maximum = 1e9 }: Schema): Arbitrary<number> {
  const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 10) })
  return fc.oneof(small, fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
}

const moments = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9998-12-31') })
    .map((date) => date.toISOString()),
  fc.constantFrom('2024-02-29T23:59:60Z', '2020-01-01t00:00:00.5z', '2020-06-30T12:00:00-08:00'),
)

/** Any JSON whose texts and keys are from `text`, three levels deep. */
function jsonOf(text: Arbitrary<string>): Arbitrary<Json> {
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      text,
      fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.constantFrom<Json>(null, true, false),
      fc.array(tie('json'), { maxLength: 3 }),
      fc
        .array(fc.tuple(text, tie('json')), { maxLength: 3 })
        .map((entries): Json => Object.fromEntries(entries)),
    ),
  }))
  return json
}
