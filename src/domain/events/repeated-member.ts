import type { Json } from '../model.js'
import { placesIn } from './json-places.js'

/**
 * The pointer to a member that a JSON text gives twice, which JSON allows and readers understand differently; undefined
 * when there is none. `members` is how many the text has: as a rule as many as the value that was read from it, and then
 * nothing needs to be looked for.
 */
export function repeatedMember(text: string, members: number, value: Json): string | undefined {
  return membersOf(value) === members ? undefined : find(text)
}

function membersOf(value: Json): number {
  if (value === null || typeof value !== 'object') return 0
  let members = Array.isArray(value) ? 0 : Object.keys(value).length
  for (const item of Object.values<Json>(value)) members += membersOf(item)
  return members
}

function find(text: string): string | undefined {
  const seen = new Set<string>()
  for (const place of placesIn(text)) {
    if (place.kind !== 'name') continue
    const pointer = place.pointer()
    if (seen.has(pointer)) return pointer
    seen.add(pointer)
  }
  return undefined
}
