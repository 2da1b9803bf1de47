import type { Case } from './cases.js'
import { isCalled, type Seen } from './model.js'

const SHOWN = 500
/** In a result that is given to the model as JSON. */
const EMPTY = /"text":\s*""/

/** What is wrong with what a model saw of a case; undefined if nothing is. */
export function wrongIn(
  { answer }: Case,
  seen: Seen | undefined,
  listed: readonly string[],
): string | undefined {
  if (seen === undefined) return 'the model was not asked'
  if (seen.refused !== undefined) return seen.refused
  const missing = listed.filter((it) => !seen.tools.some((name) => isCalled(name, it)))
  if (missing.length > 0) return `not listed: ${missing.join(', ')}; but ${seen.tools.join(', ')}`
  const { result } = seen
  if (result === undefined) return 'the model was shown no result'
  if (result === '' || EMPTY.test(result)) return `an empty text block: ${result.slice(0, SHOWN)}`
  if (!answer.test(result)) return `not as expected: ${result.slice(0, SHOWN)}`
  return undefined
}
