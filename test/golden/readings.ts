import type { Ask, Session } from './session.js'

/** A question with where to look, as `generateInsight` takes it. */
export interface Question {
  readonly task: string
  readonly [parameter: string]: unknown
}

/** What was ever in a graph, erased or not, and what is asked of it. */
export class Known {
  readonly graph: string
  readonly questions: readonly Question[]
  readonly contexts = new Set<string>()
  readonly memories = new Set<string>()
  lastPlace = 0

  constructor(graph: string, questions: readonly Question[]) {
    this.graph = graph
    this.questions = questions
  }

  learn(exported: string): void {
    for (const line of exported.split('\n')) {
      if (!line.startsWith('{"event_kind"')) continue
      const event: Exported = JSON.parse(line)
      this.memories.add(event.memory_id)
      this.lastPlace = Math.max(this.lastPlace, event.place)
      const { reinforces = [], extends: extended = [], contradicts = [], related_to = [] } = event
      for (const target of [event.context_id, ...reinforces, ...extended, ...contradicts, ...related_to])
        if (!target.startsWith('mem_')) this.contexts.add(target)
    }
  }
}

type Exported = { readonly context_id: string; readonly memory_id: string; readonly place: number } & Partial<
  Readonly<Record<'reinforces' | 'extends' | 'contradicts' | 'related_to', readonly string[]>>
>

/** What is asked about at one turn: every `share`th memory and context; at the next turn, others. */
interface Part {
  readonly share: number
  readonly turn: number
}

/** Every memory, context, question and form of a request at once. */
const ALL: Part = { share: 1, turn: 0 }
const KINDS = ['reinforcement', 'extension', 'contradiction', 'related-to']
const DIRECTIONS = ['outgoing', 'incoming', 'both']
const RECALLS = [
  { format: 'json' },
  { max_chars: 400, limit: 20 },
  { min_confidence: 'medium', format: 'json' },
  { context_types: { tool: [], decision: [], person: ['ana'] } },
]

/** Asks about the present. */
export async function readPresent(session: Session, known: Known, part: Part): Promise<void> {
  const exported = await session.ask(get('exportGraph', `/v1/graphs/${known.graph}/events`))
  known.learn(exported.text)
  await session.askAll([...ofThePresent(known, part), ...ofAnyTime(known, part)])
}

/** Asks about every place and the times given, and at last everything about the present. */
export async function readPast(session: Session, known: Known, share: number, times: readonly string[]) {
  const places = Array.from({ length: known.lastPlace + 2 }, (_, place) => String(place))
  for (const [turn, moment] of [...places, ...times].entries())
    await session.askAll(ofAnyTime(known, { share, turn }, moment))
  await session.askAll(
    places.map((after, i) => {
      const [operation, end] = i % 2 === 0 ? ['exportGraph', 'events'] : ['followGraph', 'feed']
      return get(operation, `/v1/graphs/${known.graph}/${end}`, { after })
    }),
  )
  await readPresent(session, known, ALL)
}

function ofThePresent({ graph, questions, contexts, memories }: Known, part: Part): Ask[] {
  const at = `/v1/graphs/${graph}`
  const { turn } = part
  return [
    get('getGraph', at),
    get('listGraphs', '/v1/graphs'),
    get('getBrief', `${at}/brief`, { max_chars: 300 * (1 + (turn % 6)) }),
    // On a line of its own, since it is found as recall finds it.
    ...turned(questions, part).map(({ task }) => get('getBrief with a task', `${at}/brief`, { task })),
    ...turned([{}, { page: 1, page_size: 1 }], part).flatMap((page) => [
      get('listDisputes', `${at}/disputes`, page),
      get('listStale', `${at}/stale`, page),
    ]),
    get('followGraph', `${at}/feed`),
    ...some(contexts, part).map((id) =>
      get('getNeighbourhood', `${pathOf(graph, id)}/neighbourhood`, {
        depth: 1 + (turn % 3),
        limit: 5 + turn,
      }),
    ),
    ...some(contexts, part).flatMap((id) =>
      turned([{}, { page: 1, page_size: 2 }], part).map((page) =>
        get('getContextTimeline', `${pathOf(graph, id)}/timeline`, page),
      ),
    ),
    ...some(memories, part).flatMap((id) =>
      turned([{}, { page: 1, page_size: 1 }], part).map((page) =>
        get('getMemoryHistory', `/v1/memories/${graph}/${id}/history`, page),
      ),
    ),
  ]
}

function ofAnyTime(known: Known, part: Part, as_of?: string): Ask[] {
  const { graph, questions, contexts, memories } = known
  const { turn } = part
  const then = as_of === undefined ? {} : { as_of }
  const at = `/v1/contexts/${graph}`
  const types = new Set([...contexts].map((id) => partsOf(id)[0])).add('no_such_type')
  const [type, name] = partsOf([...contexts][turn % contexts.size] ?? 'none:none')
  const pages = [{}, { page: turn % 3, page_size: 2 }]
  const ends = [{}, { kind: KINDS[turn % KINDS.length] }, { direction: DIRECTIONS[turn % DIRECTIONS.length] }]
  return [
    ...turned(pages, part).map((page) => get('browseContexts', at, { ...page, ...then })),
    ...turned([name, name.slice(0, 3), `${type} ${name.slice(-2)}`, 'e'], part).map((q) =>
      get('browseContexts', at, { q, ...then }),
    ),
    ...some(types, part).map((one) => get('listContexts', `${at}/${encodeURIComponent(one)}`, then)),
    ...(as_of === undefined ? [] : [get('exportGraph', `/v1/graphs/${graph}/events`, then)]),
    ...some(contexts, part).flatMap((id) => {
      const path = pathOf(graph, id)
      return [
        ...turned(pages, part).map((page) => get('getContext', path, { ...page, ...then })),
        ...turned(ends, part).map((end) =>
          get('listRelationships', `${path}/relationships`, { ...end, ...then }),
        ),
      ]
    }),
    ...some(memories, part).map((id) => get('getMemory', `/v1/memories/${graph}/${id}`, then)),
    ...turned(questions, part).flatMap(({ task, ...where }) => [
      ...turned(RECALLS, part).map((how) =>
        post('recallMemories', '/v1/memories', { query: task, graph_id: graph, ...how, ...then }),
      ),
      post('generateInsight', '/v1/memories/insights', {
        ...{ task, ...where, graph_id: graph, explain: true, ...then },
      }),
    ]),
  ]
}

function some<T>(all: Iterable<T>, { share, turn }: Part): T[] {
  return [...all].filter((_, i) => (i + turn) % share === 0)
}

/** One at each turn; all of them if everything is asked. */
function turned<T>(all: readonly T[], part: Part): readonly T[] {
  return part === ALL ? all : all.filter((_, i) => i === part.turn % all.length)
}

function partsOf(contextId: string): readonly [type: string, name: string] {
  const colon = contextId.indexOf(':')
  return [contextId.slice(0, colon), contextId.slice(colon + 1)]
}

function pathOf(graph: string, contextId: string): string {
  return `/v1/contexts/${[graph, ...partsOf(contextId)].map(encodeURIComponent).join('/')}`
}

function get(operation: string, path: string, query: Readonly<Record<string, unknown>> = {}): Ask {
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { operation, path: search.length === 0 ? path : `${path}?${search.join('&')}` }
}

export function post(operation: string, path: string, body: object | string): Ask {
  return { operation, method: 'POST', path, body }
}
