import type { Json, JsonObject, NewMemory } from '../model.js'

/** The texts that recording an event needs, each made once. */
export interface Content {
  /** The payload as JSON. */
  readonly text: string
  /** Two events are the same when their keys are: context, kind and canonical payload. */
  readonly key: string
}

/** What an event says, apart from who says it, when, and what it links to. */
export type Said = Pick<NewMemory, 'contextId' | 'eventKind' | 'payload'>

export function contentOf({ contextId, eventKind, payload }: Said): Content {
  const text = JSON.stringify(payload)
  const canonical = isFlatInOrder(payload) ? text : canonicalJson(payload)
  return { text, key: JSON.stringify([contextId, eventKind]) + canonical }
}

/** One text for all spellings of the same JSON value: keys in order, no white space. Two payloads are the same when theirs is. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (isFlatInOrder(value)) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

/** The same text in pieces: items of a list that stands in an object are pieces of their own. */
export function* canonicalPieces(value: JsonObject): Generator<string> {
  yield '{'
  for (const [i, key] of Object.keys(value).sort().entries()) {
    yield `${i === 0 ? '' : ','}${JSON.stringify(key)}:`
    const item = value[key] ?? null
    if (!Array.isArray(item)) yield canonicalJson(item)
    else {
      for (const [place, one] of item.entries()) yield (place === 0 ? '[' : ',') + canonicalJson(one)
      yield item.length === 0 ? '[]' : ']'
    }
  }
  yield '}'
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
