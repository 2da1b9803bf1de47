import type { Schema } from '../../contract/contract.js'

/** The message for a field that violates a keyword of its schema; undefined for keywords without one. */
export function schemaMessage(keyword: string, schema: Schema = {}): string | undefined {
  const { minLength = 0, maxLength = 0, minItems = 0, maxItems = 0 } = schema
  switch (keyword) {
    case 'type':
      return schema.enum === undefined ? `must be ${kindOf(schema)}` : schemaMessage('enum', schema)
    case 'minimum':
    case 'maximum':
      return `must be ${kindOf(schema)}`
    case 'enum':
      return `must be one of ${schema.enum?.join(', ')}`
    case 'pattern':
      return schema['x-hint']
    case 'format':
      return schema.format === 'date-time'
        ? 'must be a moment that exists, as RFC 3339, such as 2026-03-02T09:30:00Z'
        : undefined
    case 'minLength':
      return minLength === 1 ? 'must not be empty' : (schema['x-hint'] ?? atLeast(minLength, 'character'))
    case 'maxLength':
      return minLength === maxLength
        ? (schema['x-hint'] ?? `must have ${maxLength} characters`)
        : atMost(maxLength, 'character')
    case 'minItems':
      return atLeast(minItems, 'item')
    case 'maxItems':
      return atMost(maxItems, 'item')
    case 'uniqueItems':
      return 'must not hold the same item twice'
    case 'minProperties':
      return atLeast(schema.minProperties ?? 0, 'key')
    case 'maxProperties':
      return atMost(schema.maxProperties ?? 0, 'key')
    default:
      return undefined
  }
}

/** The keyword that a text violates; undefined when it is valid. */
export function mistakeInText(schema: Schema, text: string): string | undefined {
  const length = [...text].length
  if (length < (schema.minLength ?? 0)) return 'minLength'
  if (length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) return 'maxLength'
  const { pattern } = schema
  return pattern !== undefined && !new RegExp(pattern, 'u').test(text) ? 'pattern' : undefined
}

function kindOf({ type, minimum, maximum }: Schema): string {
  const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`
  switch (type) {
    case 'integer':
      return `a whole number${range}`
    case 'number':
      return `a number${range}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'an array'
    case 'object':
      return 'an object'
    default:
      return 'a string'
  }
}

function atLeast(count: number, what: string): string {
  return `must have at least ${counted(count, what)}`
}

function atMost(count: number, what: string): string {
  return `must have at most ${counted(count, what)}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
