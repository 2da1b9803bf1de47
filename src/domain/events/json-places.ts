import { pointerStep } from '../pointer.js'

/** A number or the name of a member in a JSON text, as it is written, with the pointer to its value. */
export interface JsonPlace {
  readonly kind: 'number' | 'name'
  readonly written: string
  readonly pointer: () => string
}

/** A text, a number, or something that opens, closes or parts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},:]/gs

/** Goes through a text that is JSON. Each place is looked at before the next is taken. */
export function* placesIn(text: string): Generator<JsonPlace> {
  /** The name of a member, or the index of an item. */
  const steps: (string | number)[] = []
  const pointer = () => steps.map((step) => `/${pointerStep(String(step))}`).join('')
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const top = steps.length - 1
    const step = steps[top]
    if (token === '{') steps.push('')
    else if (token === '[') steps.push(0)
    else if (token === '}' || token === ']') steps.pop()
    else if (token === ',') {
      if (typeof step === 'number') steps[top] = step + 1
    } else if (token === ':') {
      steps[top] = JSON.parse(last) as string
      yield { kind: 'name', written: last, pointer }
    } else if (!token.startsWith('"')) yield { kind: 'number', written: token, pointer }
    last = token
  }
}
