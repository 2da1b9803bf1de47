import type { FieldError } from '../failure.js'
import type { Json } from '../model.js'
import { pointerStep } from '../pointer.js'
import { quote } from '../quote.js'

const LONE_SURROGATE = /\p{Cs}/u
const MOST_MISTAKES = 20

/**
 * Walks a value of bounded depth and names the fields that JSON allows and nothing could keep: NUL characters, lone
 * surrogates, and numbers too large for a double (they would become `null`).
 */
export function mistakesIn(root: Json, at: string): FieldError[] {
  const errors: FieldError[] = []
  const visit = (value: Json, path: string) => {
    if (errors.length >= MOST_MISTAKES) return
    if (typeof value === 'string') note(textMistake(value), path)
    else if (typeof value === 'number') {
      if (!Number.isFinite(value)) note('must be a number that fits a double', path)
    } else if (value !== null && typeof value === 'object')
      for (const [key, item] of Object.entries<Json>(value)) {
        const mistake = textMistake(key)
        if (mistake === undefined) visit(item, `${path}/${pointerStep(key)}`)
        else note(`has the key ${quote(key)}; a key ${mistake}`, path)
      }
  }
  const note = (message: string | undefined, path: string) => {
    if (message !== undefined) errors.push({ path, message })
  }
  visit(root, at)
  return errors
}

function textMistake(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character'
  return LONE_SURROGATE.test(text) ? 'must not hold half of a surrogate pair' : undefined
}
