import { type ContractDocument, type MaybeRef, resolve, type Schema } from '../contract/contract.js'

/** The schema of a tool's arguments: plain JSON Schema, without references. */
export interface ArgumentSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
}

export type PropertySchema = Readonly<Record<string, unknown>>

/**
 * A schema of the contract as a model reads it: references resolved, the description cut to its first sentence. The service
 * checks what is left out: patterns would be half of the list of tools and tell a model nothing, and some hosts take no rules
 * about the members of objects.
 */
export function fromContract(
  document: ContractDocument,
  schema: MaybeRef<Schema>,
  description?: string,
): PropertySchema {
  const told = description ?? firstSentence(descriptionOf(document, schema))
  return { ...plain(document, schema), ...(told !== '' && { description: told }) }
}

/** A property of a named schema of the contract. */
export function propertyOf(document: ContractDocument, schema: string, property: string): MaybeRef<Schema> {
  const found = resolve<Schema>(document, { $ref: `#/components/schemas/${schema}` }).properties?.[property]
  if (found === undefined) throw new Error(`The contract has no property ${property} of ${schema}.`)
  return found
}

const LEFT_OUT = [
  ...['description', 'pattern', 'minLength', 'maxLength', 'x-hint', '$ref', 'example', 'examples'],
  ...['additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
]

function plain(document: ContractDocument, value: MaybeRef<Schema>): PropertySchema {
  const rules = Object.entries(resolve(document, value)).filter(([keyword]) => !LEFT_OUT.includes(keyword))
  return Object.fromEntries(
    rules.map(([keyword, rule]) => [keyword, isSchema(rule) ? plain(document, rule) : rule]),
  )
}

/** Of the keywords that are left, `items` holds one. */
function isSchema(rule: unknown): rule is MaybeRef<Schema> {
  return typeof rule === 'object' && rule !== null && !Array.isArray(rule)
}

/** One beside a reference goes before that of its target. */
function descriptionOf(document: ContractDocument, schema: object): string {
  if ('description' in schema) return String(schema.description)
  return '$ref' in schema ? descriptionOf(document, resolve(document, schema as MaybeRef<Schema>)) : ''
}

function firstSentence(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return /^.*?\.(?= |$)/.exec(flat)?.[0] ?? flat
}
