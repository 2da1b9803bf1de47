import type { AskedTool } from './dialects.js'

type Schema = Readonly<Record<string, unknown>>

/** What the API of OpenAI says of a tool that it does not take; undefined of any other. */
export function refusedByOpenAi({ name, isStrict, parameters }: AskedTool): string | undefined {
  const { type } = asSchema(parameters)
  if (type !== 'object') return `Invalid schema for function '${name}': type must be object.`
  for (const [place, schema] of schemasIn(parameters, name)) {
    if (schema['type'] === 'array' && schema['items'] === undefined)
      return `Invalid schema for function '${name}': ${place}: array schema missing items.`
    if (!isStrict || schema['type'] !== 'object') continue
    if (schema['additionalProperties'] !== false)
      return `Invalid schema for function '${name}': ${place}: 'additionalProperties' is required to be false.`
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const missing = Object.keys(asSchema(schema['properties'])).filter((it) => !required.includes(it))
    if (missing.length > 0)
      return `Invalid schema for function '${name}': ${place}: 'required' has not ${missing.join(', ')}.`
  }
  return undefined
}

const KNOWN_TO_GEMINI = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'minItems', 'maxItems'],
  ...[
    'properties',
    'required',
    'minProperties',
    'maxProperties',
    'propertyOrdering',
    'minLength',
    'maxLength',
  ],
  ...['pattern', 'minimum', 'maximum', 'anyOf', 'default', 'example'],
])

/** The same of Gemini, which reads only the words of its own kind of schema. */
export function refusedByGemini({ name, parameters }: AskedTool): string | undefined {
  for (const [place, schema] of schemasIn(parameters, name)) {
    const unknown = Object.keys(schema).filter((keyword) => !KNOWN_TO_GEMINI.has(keyword))
    if (unknown.length > 0)
      return `Invalid JSON payload received. Unknown name "${unknown[0]}" at '${place}'.`
  }
  return undefined
}

/** A schema and all those in it, each with its place. */
function schemasIn(schema: unknown, place: string): [string, Schema][] {
  const own = asSchema(schema)
  const anyOf = Array.isArray(own['anyOf']) ? own['anyOf'] : []
  return [
    [place, own],
    ...Object.entries(asSchema(own['properties'])).flatMap(([name, it]) => schemasIn(it, `${place}.${name}`)),
    ...(own['items'] === undefined ? [] : schemasIn(own['items'], `${place}[]`)),
    ...anyOf.flatMap((it, i) => schemasIn(it, `${place}|${i}`)),
  ]
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
