import { type ContractDocument, type MaybeRef, resolve, type Schema } from '../../contract/contract.js'
import type { FieldError } from '../../domain/failure.js'
import { mistakeInText, schemaMessage } from '../../http/validation/schema-messages.js'

/**
 * The fields of a request that are beyond the contract's limits. That no other field is there, and each of its type, the
 * typed client has seen to.
 */
export function* beyondLimits(
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
