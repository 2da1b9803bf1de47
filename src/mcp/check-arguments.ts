import type { JsonSchemaType, jsonSchemaValidator } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { quote } from '../domain/quote.js'

const LONGEST_QUERY = 4_000

/**
 * Checks arguments against the schema of the tool, in sentences that name each of them. A `query` that is too long, as when
 * a hook sends a whole prompt, is cut, never refused.
 */
export const checkingArguments: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const check = new AjvJsonSchemaValidator().getValidator<T>(schema)
    const known = typeof schema === 'object' ? Object.keys(schema.properties ?? {}) : []
    return (given: unknown) => {
      const unknown = namesIn(given).find((name) => !known.includes(name))
      if (unknown !== undefined)
        return refused(`There is no argument ${quote(unknown)}; known are ${known.join(', ')}.`)
      const result = check(hasQuery(given) ? { ...given, query: cut(given.query) } : given)
      return result.valid ? result : refused(`${result.errorMessage.replace(/\bdata\/?/g, '').trim()}.`)
    }
  },
}

function refused(errorMessage: string) {
  return { valid: false as const, data: undefined, errorMessage }
}

function namesIn(given: unknown): string[] {
  return typeof given === 'object' && given !== null ? Object.keys(given) : []
}

function hasQuery(given: unknown): given is { readonly query: string } {
  return typeof given === 'object' && given !== null && 'query' in given && typeof given.query === 'string'
}

/** Not in the middle of a character. */
function cut(query: string): string {
  return query
    .replaceAll('\0', ' ')
    .slice(0, LONGEST_QUERY)
    .replace(/[\ud800-\udbff]$/, '')
}
