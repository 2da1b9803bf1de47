import { readFile } from 'node:fs/promises'
import type { Json, JsonObject } from '../../src/domain/model.js'
import { splitContextId } from '../../src/domain/names.js'
import type { LabelledGraph, Task } from './graphs.js'

const PROMPTS = new URL('./everyday.json', import.meta.url)
/** How many tasks of other graphs, and how many questions about what its memories do not say, are put to each graph. */
const FOREIGN = 16
const MISSING = 16

/** Questions about a subject, each with what an answer would have to hold. */
const ASKED: readonly { readonly ask: (subject: string) => string; readonly answer: RegExp }[] = [
  { ask: (subject) => `How much does ${subject} cost per month?`, answer: /\d|[$€£]|price|cost|fee/i },
  { ask: (subject) => `Which version of ${subject} do we run?`, answer: /\d|version/i },
  { ask: (subject) => `On which date was ${subject} introduced?`, answer: /\d|day\b|week|month|year/i },
  { ask: (subject) => `Who trained us on ${subject}?`, answer: /\p{Lu}\p{Ll}+|\b(?:he|she|they)\b/u },
  { ask: (subject) => `How many people work on ${subject}?`, answer: /\d|people|team|one|two|three/i },
  { ask: (subject) => `In which building is ${subject}?`, answer: /build|room|floor|street|site|hall/i },
]

/** What people type all day and no memory is needed for. */
export async function everydayTasks(): Promise<Task[]> {
  const prompts: readonly string[] = JSON.parse(await readFile(PROMPTS, 'utf8'))
  return prompts.map((task, i) => ({
    ...{ id: `everyday-${i}`, kind: 'everyday', task },
    evidence: [],
    confidence: ['low'],
  }))
}

/**
 * Questions that a graph cannot answer: tasks of other graphs, and questions about the subject of a memory that neither
 * it nor any other of its context says anything about. The same ones every time.
 */
export function unanswerableTasks(graph: LabelledGraph, all: readonly LabelledGraph[]): Task[] {
  return [...foreign(graph, all), ...missing(graph)].map((task, i) => ({
    id: `made-${i}`,
    kind: 'made',
    task,
    evidence: [],
    confidence: ['low'],
  }))
}

function foreign({ graph_id }: LabelledGraph, all: readonly LabelledGraph[]): string[] {
  const tasks = all
    .filter((other) => other.graph_id !== graph_id)
    .flatMap((other) => other.tasks)
    .filter(
      ({ evidence, locus_query, context_types }) => evidence.length > 0 && !locus_query && !context_types,
    )
  return spread(tasks, FOREIGN).map(({ task }) => task)
}

function missing({ events }: LabelledGraph): string[] {
  const contexts = [...new Set(events.map(({ context_id }) => context_id))]
  const questions = contexts.flatMap((contextId, i) => {
    const members = events.filter(({ context_id }) => context_id === contextId)
    const subject = splitContextId(contextId).name.replaceAll('_', ' ')
    const unsaid = ASKED.filter(({ answer }) => !members.some((event) => answer.test(flat(event.payload))))
    const asked = unsaid[i % Math.max(1, unsaid.length)]
    return asked === undefined ? [] : [asked.ask(subject)]
  })
  return spread(questions, MISSING)
}

function flat(value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value as JsonObject)
    .map(flat)
    .join(' ')
}

/** So many of the items, evenly from the first to the last. */
function spread<T>(items: readonly T[], many: number): T[] {
  const step = Math.max(1, items.length / many)
  const wanted = Array.from({ length: Math.min(many, items.length) }, (_, i) => Math.floor(i * step))
  return wanted.flatMap((at) => items.slice(at, at + 1))
}
