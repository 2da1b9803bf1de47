import type { JsonSchemaType, jsonSchemaValidator } from '@modelcontextprotocol/server'
import { Ajv } from '@modelcontextprotocol/server/validators/ajv'
import { quote } from '../domain/quote.js'
import { cutTo } from './tools/asking.js'

/** The arguments that a tool takes, and the names of those that it does not know. */
export interface Accepted<T> {
  readonly given: T
  readonly ignored: readonly string[]
}

/** The part of the schema of a tool that says what an object holds. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly items?: ObjectSchema }>>
  readonly required?: readonly string[]
}

interface Mistake {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

const LONGEST_QUESTION = 4_000
const MAX_NAMED = 5

// Formats are checked by the service.
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })

/**
 * Checks arguments against the schema of the tool, in sentences that name each of them. Hosts fill what is absent with `null`,
 * `""` or `{}`, and add arguments of their own: neither is a mistake.
 */
export const checkingArguments: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    // A boundary: the schemas of tools are those of objects.
    const shape = schema as ObjectSchema
    const known = Object.keys(shape.properties ?? {}).join(', ')
    const check = ajv.compile(schema)
    return (sent: unknown) => {
      const names = new Set<string>()
      const given = tidied(sent, shape, names)
      const ignored = [...names].slice(0, MAX_NAMED)
      // A boundary: whoever compiles a schema says that what it accepts is of this type.
      if (check(given))
        return { valid: true, data: { given, ignored } as Accepted<unknown> as T, errorMessage: undefined }
      const unknown = ignored.map((name) => `There is no argument ${quote(name)}; known are ${known}.`)
      const errorMessage = [...(check.errors ?? []).map(sentenceOf), ...unknown].join(' ')
      return { valid: false, data: undefined, errorMessage }
    }
  },
}

/** Clients in Go send `null` where they give a tool no arguments, which the protocol does not know. */
export function withoutNullArguments(message: unknown): unknown {
  if (!has(message, 'params') || !has(message.params, 'arguments') || message.params.arguments !== null)
    return message
  const { arguments: _, ...params } = message.params
  return { ...message, params }
}

function has<K extends string>(value: unknown, name: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && name in value
}

export function ignoring(names: readonly string[]): string {
  return `Ignored, since this tool has no such argument: ${names.map(quote).join(', ')}.\n`
}

/** What stands for an optional argument that is absent is left out, but for what a payload holds. */
function tidied(
  sent: unknown,
  { properties = {}, required = [] }: ObjectSchema,
  ignored: Set<string>,
): unknown {
  if (!isObject(sent)) return sent
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(sent)) {
    const { items } = (Object.hasOwn(properties, name) && properties[name]) || {}
    if (isBlank(value) && !required.includes(name)) continue
    if (!Object.hasOwn(properties, name)) ignored.add(name)
    else if (Array.isArray(value) && items?.properties !== undefined)
      kept.push([name, value.map((item) => tidied(item, items, ignored))])
    else kept.push([name, typeof value === 'string' ? (FITTED[name]?.(value) ?? value) : value])
  }
  return Object.fromEntries(kept)
}

function isBlank(value: unknown): boolean {
  return value === null || value === '' || (isObject(value) && Object.keys(value).length === 0)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whole prompts are asked. */
const FITTED: Readonly<Record<string, (text: string) => string>> = {
  query: (text) => cutTo(LONGEST_QUESTION, text),
  task: (text) => cutTo(LONGEST_QUESTION, text),
}

function sentenceOf({ keyword, instancePath, params, message = 'is not valid' }: Mistake): string {
  const place = instancePath.slice(1)
  if (keyword === 'required')
    return `${[place, params['missingProperty']].filter((part) => part !== '').join('/')} is required.`
  return `${place} ${RULES[keyword]?.(params) ?? message}.`
}

const RULES: Readonly<Record<string, (params: Mistake['params']) => string>> = {
  type: ({ type }) => `must be ${TYPES[String(type)] ?? String(type)}`,
  enum: ({ allowedValues }) => `must be one of ${String(allowedValues).replaceAll(',', ', ')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit} items`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
