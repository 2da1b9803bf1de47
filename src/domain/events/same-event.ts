import type { ContextId, EventKind, Json, JsonObject } from '../model.js'

/** One text for all spellings of the same JSON value: keys in order, no white space. Two payloads are the same when theirs is. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (isFlatInOrder(value)) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

/** Most payloads are: nothing nested, the names in order already. Then the plain text, which is made faster, is the canonical one. */
function isFlatInOrder(value: object): boolean {
  let before = ''
  for (const [key, item] of Object.entries(value)) {
    if (key < before || (item !== null && typeof item === 'object')) return false
    before = key
  }
  return true
}

/** What makes two events the same. */
export function contentOf(context: ContextId, kind: EventKind, payload: JsonObject): string {
  if (latest.payload !== payload) latest = { payload, text: canonicalJson(payload) }
  return JSON.stringify([context, kind]) + latest.text
}

export function forgetContent(): void {
  latest = NOTHING
}

const NOTHING: { readonly payload: JsonObject; readonly text: string } = { payload: {}, text: '{}' }

/** An event is looked for and then added: the second time its payload need not be gone through again. */
let latest = NOTHING
