import { createRandom } from '../../test/support/random.js'
import type { LabelledGraph } from '../quality/graphs.js'

type Event = LabelledGraph['events'][number]

const NAME = /\b\p{Lu}\p{Ll}{2,}\b/gu
const SYLLABLES = 'bar cel dun fer gol hal jen kir lom mar nev ost pel ros sten tav und wes yor zan'.split(
  ' ',
)

/**
 * Variants of the labelled graphs with other people, places and figures: as many events and tasks as wanted, with the words,
 * the lengths and the links of real ones. Variant 0 is the original.
 */
export class SyntheticGraphs {
  readonly #events: readonly Event[]
  readonly #tasks: readonly string[]
  /** Words that are never written in lower case. */
  readonly #names: ReadonlySet<string>

  constructor(graphs: readonly LabelledGraph[]) {
    this.#events = graphs.flatMap(({ events }) => events)
    this.#tasks = graphs.flatMap(({ tasks }) => tasks.map(({ task }) => task))
    const text = JSON.stringify(graphs)
    const common = new Set(text.match(/\b\p{Ll}{3,}\b/gu))
    // Names in context ids are in lower case.
    for (const { context_id } of this.#events) for (const part of partsOf(context_id)) common.delete(part)
    this.#names = new Set(text.match(NAME)?.filter((word) => !common.has(word.toLowerCase())))
  }

  /** Event number `index`, as the body of a request. */
  event(index: number): Omit<Event, 'key'> {
    const variant = Math.floor(index / this.#events.length)
    const original = this.#events[index % this.#events.length]
    if (original === undefined) throw new Error('There are no events.')
    const { key: _, ...event } = original
    return this.#vary(event, variant)
  }

  /** Task number `index`: those of the original first, then those of each variant. */
  task(index: number): string {
    const variant = Math.floor(index / this.#tasks.length)
    return this.#text(this.#tasks[index % this.#tasks.length] ?? '', variant)
  }

  #vary<T extends object>(original: T, variant: number): T {
    if (variant === 0) return original
    const varied = JSON.stringify(original, (key, value) => {
      if (typeof value !== 'string' || key === 'timestamp' || key === 'event_kind' || key === 'source')
        return value
      return this.#text(value, variant)
    })
    // Only words and figures within strings have changed.
    return JSON.parse(varied) as T
  }

  #text(text: string, variant: number): string {
    if (variant === 0) return text
    if (/^[a-z_]+:\S+$/.test(text)) {
      const colon = text.indexOf(':')
      return `${text.slice(0, colon)}:${this.#contextName(text, variant)}`
    }
    return text
      .replace(NAME, (word) => (this.#names.has(word) ? nameOf(word, variant) : word))
      .replace(/\d+/g, (digits) => otherNumber(digits, variant))
  }

  #contextName(id: string, variant: number): string {
    const parts = partsOf(id).map((part) => {
      const word = part.charAt(0).toUpperCase() + part.slice(1)
      return this.#names.has(word) ? nameOf(word, variant).toLowerCase() : part
    })
    // Whatever has no name in it is something else in every fourth variant.
    return parts.join('_') === id.slice(id.indexOf(':') + 1)
      ? `${parts.join('_')}_${variant >> 2}`
      : parts.join('_')
  }
}

function partsOf(contextId: string): string[] {
  return contextId.slice(contextId.indexOf(':') + 1).split('_')
}

function nameOf(word: string, variant: number): string {
  const random = createRandom(hash(word) + variant)
  const length = 2 + Math.floor(random() * 2)
  const syllables = Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '')
  const name = syllables.join('')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A number of as many digits. */
function otherNumber(digits: string, variant: number): string {
  const random = createRandom(hash(digits) + variant)
  const first = 1 + Math.floor(random() * 9)
  return `${first}${Array.from(digits.slice(1), () => Math.floor(random() * 10)).join('')}`
}

function hash(text: string): number {
  let value = 7
  for (let i = 0; i < text.length; i++) value = Math.imul(value, 31) + text.charCodeAt(i)
  return value >>> 0
}
