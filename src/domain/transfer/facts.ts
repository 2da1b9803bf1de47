import { checkPayload } from '../events/event.js'
import { Failure } from '../failure.js'
import type { ContextId, Json, NewMemory } from '../model.js'
import { failureInLine, invalidLine } from './invalid-line.js'

/** A plain list of facts, one a line or as a JSON array of texts, as events in one context. Blank lines are passed over. */
export function fromFacts(text: string, contextId: ContextId): NewMemory[] {
  const facts = text.trimStart().startsWith('[') ? itemsOf(text) : linesOf(text)
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

/** Of an array, the items are counted instead of the lines. */
function itemsOf(text: string): Fact[] {
  let items: Json
  try {
    items = JSON.parse(text)
  } catch (cause) {
    throw invalidLine(1, '', 'must be a JSON array of texts, since it starts with [', cause)
  }
  return (Array.isArray(items) ? items : [items]).map((item: Json, i) => {
    if (typeof item === 'string' && item.trim() !== '') return { fact: item.trim(), line: i + 1 }
    throw invalidLine(i + 1, '', 'must be a text')
  })
}
