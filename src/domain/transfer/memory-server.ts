import { checkPayload } from '../events/event.js'
import { Failure } from '../failure.js'
import type { ContextId, Json, JsonObject, NewMemory } from '../model.js'
import { contextId, foldName, foldType } from '../names.js'
import { isObject } from '../text.js'
import { failureInLine, invalidLine } from './lines.js'

/** The type of what a relation names and no entity describes. */
const UNDESCRIBED = 'entity'

interface Line {
  readonly number: number
  readonly value: JsonObject
}

/**
 * What the MCP memory server keeps in its `memory.jsonl`, as events: each observation is a fact in the context
 * `entityType:name`, and each relation a fact in the context of the entity that it starts from, related to the other.
 * An entity without observations is one fact, that it is there.
 */
export function fromMemoryServer(text: string): NewMemory[] {
  const lines = text
    .split('\n')
    .map((line, i) => ({ text: line, number: i + 1 }))
    .filter((line) => line.text.trim() !== '')
    .map((line) => ({ number: line.number, value: parse(line.text, line.number) }))
  const entities = lines.filter(({ value }) => value['type'] === 'entity')
  const contexts = new Map(entities.map((line) => [textIn(line, 'name'), contextOf(line)]))
  const contextNamed = (line: Line, field: string) => {
    const name = textIn(line, field)
    return contexts.get(name) ?? inLine(line, () => contextId(UNDESCRIBED, foldName(name, `/body/${field}`)))
  }
  return lines.flatMap((line) => {
    switch (line.value['type']) {
      case 'entity':
        return observationsOf(line).map((fact) => event(line, contextOf(line), { fact }))
      case 'relation': {
        const relation = textIn(line, 'relationType')
        const fact = [textIn(line, 'from'), relation.replaceAll('_', ' '), textIn(line, 'to')].join(' ')
        return [event(line, contextNamed(line, 'from'), { fact, relation }, [contextNamed(line, 'to')])]
      }
      default:
        throw invalidLine(line.number, '/type', 'must be entity or relation')
    }
  })
}

function parse(text: string, number: number): JsonObject {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalidLine(number, '', 'must be one JSON object', cause)
  }
  if (!isObject(value)) throw invalidLine(number, '', 'must be one JSON object')
  return value
}

function textIn({ number, value }: Line, field: string): string {
  const text = Object.hasOwn(value, field) ? value[field] : undefined
  if (typeof text !== 'string' || text.trim() === '') throw invalidLine(number, `/${field}`, 'must be a text')
  return text
}

/** A type has no colon here, but has one where people use it to part a type from a kind. */
function contextOf(line: Line): ContextId {
  const type = textIn(line, 'entityType').normalize('NFKC').replaceAll(':', '_')
  return inLine(line, () =>
    contextId(foldType(type, '/body/entityType'), foldName(textIn(line, 'name'), '/body/name')),
  )
}

function observationsOf(line: Line): readonly string[] {
  const observations = line.value['observations'] ?? []
  if (!Array.isArray(observations)) throw invalidLine(line.number, '/observations', 'must be an array')
  const texts = observations.map((observation: Json, i) => {
    if (typeof observation === 'string') return observation
    throw invalidLine(line.number, `/observations/${i}`, 'must be a text')
  })
  return texts.length > 0 ? texts : [`${textIn(line, 'name')} is one of ${textIn(line, 'entityType')}`]
}

function event(
  line: Line,
  context: ContextId,
  payload: JsonObject,
  related: readonly ContextId[] = [],
): NewMemory {
  inLine(line, () => checkPayload(payload, '/body'))
  return {
    contextId: context,
    eventKind: 'fact',
    source: 'agent',
    payload,
    links: related.map((target) => ({ kind: 'related-to', target })),
  }
}

function inLine<T>({ number }: Line, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof Failure ? failureInLine(number, error) : error
  }
}
