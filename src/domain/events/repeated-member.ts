import type { Json } from '../model.js'
import { pointerStep } from '../pointer.js'

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

/** A text, or something that opens, closes or parts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]/gs

interface Level {
  /** Undefined in an array. */
  readonly keys: Set<string> | undefined
  step: string | number
}

/** Goes through a text that is JSON. */
function find(text: string): string | undefined {
  const levels: Level[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === '{') levels.push({ keys: new Set(), step: '' })
    else if (token === '[') levels.push({ keys: undefined, step: 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' && typeof level?.step === 'number') level.step++
    else if (token === ':' && level?.keys !== undefined) {
      level.step = JSON.parse(last) as string
      if (level.keys.has(level.step))
        return levels.map(({ step }) => `/${pointerStep(String(step))}`).join('')
      level.keys.add(level.step)
    }
    last = token
  }
  return undefined
}
