import type { ContextId, EventKind, JsonObject } from '../model.js'
import { canonicalJson } from './canonical.js'

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
