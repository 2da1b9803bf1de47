import { checkPayload } from '../events/event.js'
import { Failure } from '../failure.js'
import type { ContextId, Json, JsonObject, NewMemory } from '../model.js'
import { contextId, foldName, foldType } from '../names.js'
import { isObject } from '../text.js'
import { failureInLine, invalidLine } from './lines.js'

/** The type of what a relation names and no entity describes. */
const UNDESCRIBED = 'entity'

interface Line {
  readonly line: number
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
    .map((text, i) => ({ text, line: i + 1 }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }) => ({ line, value: parse(text, line) }))
  const entities = lines.filter(({ value }) => value['type'] === 'entity')
  const contexts = new Map(entities.map((line) => [textIn(line, 'name'), contextOf(line)]))
  const contextNamed = (line: Line, field: string) => {
    const name = textIn(line, field)
    return contexts.get(name) ?? inLine(line, () => contextId(UNDESCRIBED, foldName(name, `/body/${field}`)))
  }
  return lines.flatMap((line) => {
    switch (line.value['type']) {
      case 'entity':
        return observationsOf(line).map((fact) => factOf(line, contextOf(line), { fact }))
      case 'relation': {
        const relation = textIn(line, 'relationType')
        const fact = [textIn(line, 'from'), relation.replaceAll('_', ' '), textIn(line, 'to')].join(' ')
        return [factOf(line, contextNamed(line, 'from'), { fact, relation }, [contextNamed(line, 'to')])]
      }
      default:
        throw invalidLine(line.line, '/type', 'must be entity or relation')
    }
  })
}

function parse(text: string, line: number): JsonObject {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalidLine(line, '', 'must be one JSON object', cause)
  }
  if (!isObject(value)) throw invalidLine(line, '', 'must be one JSON object')
  return value
}

function textIn({ line, value }: Line, field: string): string {
  const text = Object.hasOwn(value, field) ? value[field] : undefined
  if (typeof text !== 'string' || text.trim() === '') throw invalidLine(line, `/${field}`, 'must be a text')
  return text
}

/** A type has no colon here, but has one where people use it to part a type from a kind. */
function contextOf(line: Line): ContextId {
  const type = textIn(line, 'entityType').normalize('NFKC').replaceAll(':', '_')
  return inLine(line, () =>
    contextId(foldType(type, '/body/entityType'), foldName(textIn(line, 'name'), '/body/name')),
  )
}

function observationsOf(entity: Line): readonly string[] {
  const { line, value } = entity
  const observations = value['observations'] ?? []
  if (!Array.isArray(observations)) throw invalidLine(line, '/observations', 'must be an array')
  const texts = observations.map((observation: Json, i) => {
    if (typeof observation === 'string') return observation
    throw invalidLine(line, `/observations/${i}`, 'must be a text')
  })
  return texts.length > 0 ? texts : [`${textIn(entity, 'name')} is one of ${textIn(entity, 'entityType')}`]
}

/**
 * A plain list of facts, one a line or as a JSON array of texts, as events in one context. Blank lines are passed over. A
 * line may start with `[` as well; what starts like an array of texts must be one.
 */
export function fromFacts(text: string, contextId: ContextId): NewMemory[] {
  const facts = itemsOf(text) ?? linesOf(text)
  return facts.map(({ fact, line }) => factOf({ line }, contextId, { fact }))
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

function factOf(
  { line }: Pick<Line, 'line'>,
  context: ContextId,
  payload: JsonObject,
  related: readonly ContextId[] = [],
): NewMemory {
  inLine({ line }, () => checkPayload(payload, '/body'))
  return {
    contextId: context,
    eventKind: 'fact',
    source: 'agent',
    payload,
    links: related.map((target) => ({ kind: 'related-to', target })),
  }
}

function inLine<T>({ line }: Pick<Line, 'line'>, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof Failure ? failureInLine(line, error) : error
  }
}
