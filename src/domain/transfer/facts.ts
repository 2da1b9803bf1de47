import { checkPayload } from '../events/event.js'
import { Failure } from '../failure.js'
import type { ContextId, Json, NewMemory } from '../model.js'
import { failureInLine, invalidLine } from './lines.js'

/**
 * A plain list of facts, one a line or as a JSON array of texts, as events in one context. Blank lines are passed over. A
 * line may start with `[` as well; what starts like an array of texts must be one.
 */
export function fromFacts(text: string, contextId: ContextId): NewMemory[] {
  const facts = itemsOf(text) ?? linesOf(text)
  return facts.map(({ fact, line }) => {
    try {
      checkPayload({ fact }, '/body')
    } catch (error) {
      throw error instanceof Failure ? failureInLine(line, error) : error
    }
    return { contextId, eventKind: 'fact', source: 'agent', payload: { fact }, links: [] }
  })
}

interface Fact {
  readonly fact: string
  readonly line: number
}

function linesOf(text: string): Fact[] {
  return text
    .split(/\r?\n/)
    .map((line, i) => ({ fact: line.trim(), line: i + 1 }))
    .filter(({ fact }) => fact !== '')
}

const START_OF_TEXTS = /^\s*\[\s*"/

/** Of an array, the items are counted instead of the lines; undefined for what is none. */
function itemsOf(text: string): Fact[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  let items: Json
  try {
    items = JSON.parse(text)
  } catch (cause) {
    if (!START_OF_TEXTS.test(text)) return undefined
    throw invalidLine(1, '', 'must be a JSON array of texts, since it starts like one', cause)
  }
  return (Array.isArray(items) ? items : [items]).map((item: Json, i) => {
    if (typeof item === 'string' && item.trim() !== '') return { fact: item.trim(), line: i + 1 }
    throw invalidLine(i + 1, '', 'must be a text')
  })
}
