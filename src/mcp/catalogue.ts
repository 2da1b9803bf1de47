import { type ContractDocument, type MaybeRef, resolve, type Schema } from '../contract/contract.js'
import { RECALL_CHARS } from './tools/recall.js'

export type ToolName = 'recall' | 'insight' | 'record' | 'browse' | 'brief' | 'forget'

/** The schema of a tool's arguments: plain JSON Schema, without references. */
interface ArgumentSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
}

type PropertySchema = Readonly<Record<string, unknown>>

interface Tool {
  readonly title: string
  readonly description: string
  readonly schema: ArgumentSchema
  /** What the data of an answer holds. */
  readonly output: ArgumentSchema
  readonly annotations: Readonly<Record<string, boolean>>
  /** It is needed so often that a host should not have to search for it. */
  readonly isAlwaysLoaded?: boolean
}

/** All or none, in one call. */
const MAX_RECORDS = 20

const READS = { readOnlyHint: true, openWorldHint: false }

/** What `text` becomes is a payload of at most 64 KiB. */
const LONGEST_TEXT = 16_000

/**
 * The tools in the order in which they are listed. What a description begins with is when to call the tool: models obey
 * that more than anything that a description says later.
 */
export function toolsOf(document: ContractDocument): Readonly<Record<ToolName, Tool>> {
  const named = (schema: string, description: string) =>
    withDescription(document, { $ref: `#/components/schemas/${schema}` }, description)
  const from = (schema: string, names: Readonly<Record<string, string>>) => {
    const { properties = {} } = resolve<Schema>(document, { $ref: `#/components/schemas/${schema}` })
    return Object.fromEntries(
      Object.entries(names).map(([name, description]) => {
        const property = properties[name]
        if (property === undefined) throw new Error(`The contract has no property ${name} of ${schema}.`)
        return [name, withDescription(document, property, description)]
      }),
    )
  }
  const page = resolve<{ readonly schema: MaybeRef<Schema> }>(document, {
    $ref: '#/components/parameters/PageNumber',
  })
  const links = {
    contradicts: { ...TEXTS, description: 'What this contradicts, and so may replace; at most 50.' },
    reinforces: { ...TEXTS, description: 'What this confirms.' },
    extends: { ...TEXTS, description: 'What this builds on.' },
    related_to: { ...TEXTS, description: 'What else it concerns.' },
  }
  return {
    recall: {
      title: 'Recall memories',
      description:
        'Call this before you start a task, and whenever you are about to guess or look up how things are done here: it finds what was recorded about it. Do not call it for what the files in front of you say, nor again with the same question in other words. Answers with memories, each with id, source and date. A memory may be outdated: check it against what you see.',
      schema: object(
        {
          ...from('RecallRequest', {
            query: 'What you want to know, in plain words.',
            limit: 'How many memories, 1 to 100; 5 if absent.',
          }),
          context_types: {
            type: 'array',
            items: { type: 'string' },
            description: 'Only of these types or contexts: decision, error:login.',
          },
          ...from('RecallRequest', {
            max_chars: `The most characters, 100 to 100,000; ${RECALL_CHARS} if absent.`,
            min_confidence: 'Leave out what answers less surely; slower.',
          }),
          as_of: AS_OF,
          valid_at: VALID_AT,
        },
        ['query'],
      ),
      output: object({ note: TEXT, confidence: TEXT, memories: LIST }),
      annotations: READS,
      isAlwaysLoaded: true,
    },
    insight: {
      title: 'Ask for one answer',
      description:
        'Call this when you must decide and want one answer, not a list: its first line is the recorded claim that answers, or says that none does; then what was so before, what speaks against it, what to do, and how sure that is. Act on high; check medium; on low, nothing reliable is known. Do not call it to look around, nor after a recall that has the answer.',
      schema: object(
        {
          ...from('InsightRequest', {
            task: 'The question or task.',
            explain: 'With the reasons and the memories found.',
          }),
          as_of: AS_OF,
          valid_at: VALID_AT,
        },
        ['task'],
      ),
      output: object({
        ...{ insight: TEXT, recommendation: TEXT, confidence: TEXT, score: NUMBER },
        ...{ reasons: LIST, evidence: LIST, unread: NUMBER },
      }),
      annotations: READS,
    },
    record: {
      title: 'Record what was learned',
      description:
        'Call this as soon as a decision is made, a cause is found, you are corrected, or you learn how something works here: record it in one or two full sentences, with the reason; several things as several records. Name what it contradicts, confirms or builds on: a memory id (from recall), one of its fields (mem_…#/price) or type:name. Do not record what the code says by itself, what only this session needs, or secrets. Answers with what it replaced and what is similar.',
      schema: object({
        text: {
          type: 'string',
          maxLength: LONGEST_TEXT,
          description: 'What was learned, at most 16,000 characters. Give this or payload.',
        },
        payload: { ...OBJECT, description: 'Instead of text.' },
        ...from('Event', {
          event_kind: 'What it is; fact if absent.',
          context_id: 'Where to file it, type:name, e.g. decision:test_runner.',
        }),
        ...links,
        timestamp: { ...TEXT, description: 'When it happened, if not now: a date or time.' },
        valid_from: { ...TEXT, description: 'From when it holds, if not since then; may lie ahead.' },
        valid_until: { ...TEXT, description: 'Until when it holds, if known; of a date, its end.' },
        records: {
          type: 'array',
          maxItems: MAX_RECORDS,
          items: {
            type: 'object',
            properties: Object.fromEntries([
              ...['text', 'context_id', 'event_kind', 'timestamp', 'valid_from', 'valid_until'].map(
                (name) => [name, TEXT],
              ),
              ['payload', OBJECT],
              ...Object.keys(links).map((name) => [name, TEXTS]),
            ]),
          },
          description: `Instead of text: at most ${MAX_RECORDS} records, all or none. What is given beside them holds for each.`,
        },
      }),
      output: object({ results: LIST }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      isAlwaysLoaded: true,
    },
    browse: {
      title: 'Browse what is recorded',
      description:
        'Call this to find the exact name of a context, or to read all of one: without arguments it lists the types of contexts; give one of type, q, context_id and memory_id. Do not call it to answer a question: recall and insight do that.',
      schema: object({
        type: named('ContextType', 'List the contexts of this type.'),
        q: named('SearchQuery', 'Search the names of contexts.'),
        context_id: named('ContextId', 'Read this context, type:name: its memories and links.'),
        memory_id: named('MemoryId', 'Read this memory whole, with its history.'),
        page: withDescription(document, page.schema, '0, the first, if absent.'),
        valid_at: VALID_AT,
      }),
      output: object({
        ...{ context_types: LIST, contexts: LIST, memories: LIST, relationships: LIST },
        ...{ spells: LIST, statements: LIST, total: NUMBER },
      }),
      annotations: READS,
    },
    brief: {
      title: 'Brief before starting',
      description:
        'Call this once when you start work: what stands, is disputed, planned or stale, and what bears on the task. Do not call it for each question: recall and insight do that.',
      schema: object({
        task: named('TaskText', 'What is to be done.'),
        valid_at: VALID_AT,
      }),
      output: object({ brief: TEXT }),
      annotations: READS,
    },
    forget: {
      title: 'Erase memories',
      description:
        'Call this only when a person asks for something to be erased; what is merely wrong is corrected with record and contradicts. Erasing cannot be undone.',
      schema: object({
        memory_id: named('MemoryId', 'Erase this memory.'),
        context_id: named('ContextId', 'Erase this context and its memories.'),
        confirm: { type: 'boolean', default: false, description: 'Erase; else only say what would go.' },
      }),
      output: object({
        ...{ dry_run: { type: 'boolean' }, memories: NUMBER, relationships: NUMBER, contexts: NUMBER },
        memory_ids: LIST,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
  }
}

/** With the argument by which a call says which graph it is about. */
export function choosingGraph(schema: ArgumentSchema): ArgumentSchema {
  const graph = { ...TEXT, description: 'Which graph, if several.' }
  return { ...schema, properties: { ...schema.properties, graph } }
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }
const LIST = { type: 'array' }
const TEXTS = { type: 'array', items: TEXT }
// LangChain makes an object strict only where it says what it requires, and OpenAI refuses the whole list otherwise.
const OBJECT = { type: 'object', required: [] }

// The service checks times and links, so that the list of tools need not have their rules.
const AS_OF = { ...TEXT, description: 'As recorded then: a date or time.' }
const VALID_AT = { ...TEXT, description: 'True then: a date or time.' }

function object(
  properties: Readonly<Record<string, PropertySchema>>,
  required: readonly string[] = [],
): ArgumentSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
  }
}

/**
 * A schema of the contract as a model reads it: references resolved, in our own words. The service checks what is left out:
 * patterns would be half of the list of tools and tell a model nothing, and some hosts take no rules about the members of
 * objects.
 */
function withDescription(
  document: ContractDocument,
  schema: MaybeRef<Schema>,
  description: string,
): PropertySchema {
  return { ...plain(document, schema), description }
}

const LEFT_OUT = [
  ...['description', 'pattern', 'minLength', 'maxLength', 'x-hint', '$ref', 'example', 'examples'],
  ...['additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
]

function plain(document: ContractDocument, value: MaybeRef<Schema>): PropertySchema {
  const rules = Object.entries(resolve(document, value)).filter(([keyword]) => !LEFT_OUT.includes(keyword))
  return Object.fromEntries(
    rules.map(([keyword, rule]) => [keyword, isSchema(rule) ? plain(document, rule) : rule]),
  )
}

/** Of the keywords that are left, `items` holds one. */
function isSchema(rule: unknown): rule is MaybeRef<Schema> {
  return typeof rule === 'object' && rule !== null && !Array.isArray(rule)
}
