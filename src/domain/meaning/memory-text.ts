import type { ContextId, Json, JsonObject } from '../model.js'
import { isObject } from '../text.js'

/** What is read of a memory: `type name: key: value; key: value`. */
export function memoryText(contextId: ContextId, payload: JsonObject): string {
  return `${contextId.replaceAll(/[_:]/g, ' ')}: ${fieldsOf(payload)}`
}

function fieldsOf(payload: JsonObject): string {
  return Object.entries(payload)
    .map(([key, value]) => `${key}: ${flat(value)}`)
    .join('; ')
}

function flat(value: Json): string {
  if (Array.isArray(value)) return value.map(flat).join(', ')
  return isObject(value) ? fieldsOf(value) : String(value)
}
