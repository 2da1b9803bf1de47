import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/contract/operations.js'
import { readContract } from '../../src/contract/read-contract.js'
import { HOOK_HOSTS } from '../../src/domain/hooks/hosts.js'
import { SCOPES, type Scope } from '../../src/domain/keys.js'
import { type ToolName, toolsOf } from '../../src/mcp/catalogue.js'
import { type Call, createApi } from '../support/api.js'
import { overHttp } from '../support/mcp.js'
import { exportOf } from '../support/ndjson.js'
import { operationsOf, readOpenApi } from '../support/openapi.js'
import { startTestServer, type TestServer } from '../support/server.js'

/**
 * What a key of a single scope gets, byte by byte: somebody else has recorded words that are nowhere else, and every
 * operation of the contract, every tool and every hook is asked for them, with success and without. An operation or a tool
 * that is new does not compile before it is asked here, too.
 */

/** Each word, and the scope that lets a key see it; `elsewhere` a key that is pinned to the graph never does. */
const WORDS: Readonly<Record<string, { readonly scope: Scope; readonly elsewhere?: true }>> = {
  textword: { scope: 'read' },
  laterword: { scope: 'read' },
  fieldword: { scope: 'read' },
  typeword: { scope: 'read' },
  nameword: { scope: 'read' },
  linkedword: { scope: 'read' },
  holderword: { scope: 'admin' },
  foreigntext: { scope: 'read', elsewhere: true },
  foreignkey: { scope: 'admin', elsewhere: true },
}

const QUESTION = 'vault code of the Zurich office'
/** A context that others fill, whose name the caller happens to know. */
const KNOWN = 'known:vault'
const NO_MEMORY = 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'
const NO_KEY = 'key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q'

interface Scene {
  readonly graph: string
  readonly foreign: string
  /** The keys that recorded it all. */
  readonly recorders: readonly string[]
  /** A key that can be revoked with `admin` alone. */
  readonly lesser: string
  readonly memories: readonly string[]
  readonly elsewhere: string
}

let server: TestServer
const api = createApi(() => server)
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

let scenes = 0

/** A graph in which somebody else has recorded all of the words, and a foreign one beside it. */
async function setScene(): Promise<Scene> {
  const graph = `own-${++scenes}`
  const foreign = `foreign-${scenes}`
  const key = (name: string, scope: Scope, of: string) => server.key({ name, scopes: [scope], graphs: [of] })
  const recorder = await key('holderword', 'write', graph)
  const foreigner = await key('foreignkey', 'write', foreign)
  const record = async (graph_id: string, { headers }: typeof recorder, event: object) => {
    const body = { graph_id, event_kind: 'fact', ...event }
    return (await api.ok('recordEvent', { body, headers }, 201)).body.event_id
  }
  const first = await record(graph, recorder, {
    context_id: KNOWN,
    payload: { text: `The ${QUESTION} is textword, ask Ilse`, fieldword: 'x' },
  })
  const built = await record(graph, recorder, {
    context_id: 'typeword:nameword',
    payload: { text: `The ${QUESTION} was changed by the textword` },
    related_to: ['linkedword:linkedword'],
    extends: [first],
  })
  // It stands in the place of the first, so that what contradicts the first bears on this one, too.
  const later = await record(graph, recorder, {
    context_id: 'typeword:nameword',
    payload: { text: `The ${QUESTION} is laterword` },
    contradicts: [first],
  })
  const elsewhere = await record(foreign, foreigner, { payload: { text: `The ${QUESTION} is foreigntext` } })
  return {
    ...{ graph, foreign, elsewhere },
    recorders: [recorder.key_id, foreigner.key_id],
    lesser: (await key('holderword', 'admin', graph)).key_id,
    memories: [first, built, later],
  }
}

/** Events that come as near to what is recorded as a caller can who does not know it. */
function eventsOf({ memories, elsewhere }: Scene): Record<string, unknown>[] {
  const [first = ''] = memories
  const event = { event_kind: 'fact', context_id: 'probe:x', payload: { text: QUESTION } }
  const links = ['reinforces', 'extends', 'contradicts', 'related_to']
  return [
    event,
    { ...event, payload: { text: 'office' } },
    ...links.flatMap((link) => [
      { ...event, [link]: [first] },
      { ...event, [link]: memories },
      { ...event, [link]: [KNOWN] },
      { ...event, [link]: [elsewhere] },
      { ...event, [link]: [NO_MEMORY] },
    ]),
    { ...event, context_id: KNOWN, payload: { text: `The ${QUESTION} is not that` }, contradicts: [KNOWN] },
    { ...event, reinforces: memories, contradicts: memories },
    { ...event, timestamp: '2020-01-01T00:00:00Z', valid_until: '2019-01-01T00:00:00Z' },
    { ...event, source: 'validator', contradicts: memories },
  ]
}

const recordCalls = (scene: Scene): Call[] =>
  eventsOf(scene).flatMap((event, i) => [
    { body: { graph_id: scene.graph, ...event, dry_run: true } },
    { body: { graph_id: scene.graph, ...event, similar: true } },
    { body: { graph_id: scene.graph, ...event }, headers: { 'Idempotency-Key': `one-${i % 3}` } },
  ])

type Calls = (scene: Scene) => readonly Call[]
const inGraph =
  (...queries: NonNullable<Call['query']>[]): Calls =>
  ({ graph }) =>
    [{}, ...queries].map((query) => ({ path: { graph_id: graph }, query }))
const inContext =
  (...queries: NonNullable<Call['query']>[]): Calls =>
  ({ graph }) =>
    [KNOWN, 'known:other', 'typ:name'].flatMap((id) => {
      const [context_type = '', name = ''] = id.split(':')
      return [{}, ...queries].map((query) => ({ path: { graph_id: graph, context_type, name }, query }))
    })
const ofMemories =
  (...queries: NonNullable<Call['query']>[]): Calls =>
  ({ graph, memories, elsewhere }) =>
    [...memories, elsewhere, NO_MEMORY].flatMap((memory_id) =>
      [{}, ...queries].map((query) => ({ path: { graph_id: graph, memory_id }, query })),
    )
const only =
  (calls: Calls, query: NonNullable<Call['query']>): Calls =>
  (scene) =>
    calls(scene).map((call) => ({ ...call, query }))
const DRY = { dry_run: 'true' }
const asked =
  (more: object): Calls =>
  ({ graph, foreign, memories }) => [
    { body: { graph_id: graph, ...more } },
    { body: { graph_id: graph, ...more, context_types: { known: [] }, limit: 100 } },
    { body: { graph_id: graph, ...more, as_of: '1' } },
    { body: { graph_id: foreign, ...more } },
    { body: { graph_id: graph, ...more, context_ids: memories } },
  ]

const lineOf = (event: object, memory_id: string) =>
  JSON.stringify({
    ...{ source: 'agent', ...event, memory_id, times_seen: 1, place: 1 },
    ...{ timestamp: '2026-03-02T09:30:00.000Z', recorded_at: '2026-03-02T09:30:00.000Z' },
  })

const CALLS: { readonly [Id in OperationId]: Calls } = {
  browseContexts: inGraph({ q: 'vault' }, { q: 'zzz' }, { as_of: '1' }, { page: 'x' }),
  listContexts: inContext({ page_size: 1 }),
  getContext: inContext({ as_of: '1' }, { as_of: 'x' }, { valid_at: '2020-01-01' }),
  listRelationships: inContext({ kind: 'extension' }),
  getNeighbourhood: inContext({ depth: 3 }),
  getContextTimeline: inContext({ page_size: 1 }),
  generateInsight: asked({ task: QUESTION, explain: true }),
  recallMemories: (scene) => [
    ...asked({ query: QUESTION })(scene),
    ...asked({ query: QUESTION, format: 'json' })(scene),
  ],
  getMemory: ofMemories({ as_of: '1' }),
  getMemoryHistory: ofMemories(),
  recordEvent: recordCalls,
  recordEvents: (scene) => [
    ...eventsOf(scene).map((event) => ({ body: { graph_id: scene.graph, events: [event] } })),
    { body: { graph_id: scene.graph, events: eventsOf(scene) } },
  ],
  listGraphs: () => [{}, { query: { page_size: 1 } }],
  getGraph: inGraph(),
  getBrief: inGraph({ task: QUESTION }, { max_chars: 20_000 }),
  listDisputes: inGraph({ page_size: 1 }),
  listStale: inGraph({ page_size: 1 }),
  exportGraph: inGraph({ after: 0 }, { after: 1 }, { as_of: '2' }),
  importGraph: (scene) =>
    eventsOf(scene).flatMap((event, i) => {
      const body = exportOf([lineOf(event, scene.memories[0] ?? '')])
      return [scene.graph, `${scene.graph}-in-${i}`].map((graph_id) => ({ path: { graph_id }, body }))
    }),
  followGraph: inGraph({ after: 1 }, { after: 99 }),
  listKeys: () => [{}, { query: { page_size: 1 } }],
  createKey: ({ graph }) =>
    SCOPES.flatMap((scope) =>
      [undefined, [graph], [`${graph}-in`]].map((graphs) => ({
        body: { name: 'made', scopes: [scope], ...(graphs && { graphs }) },
      })),
    ),
  getOwnKey: () => [{}],
  revokeKey: ({ recorders, lesser }) =>
    [...recorders, lesser, NO_KEY].flatMap((key_id) =>
      [{}, { with_descendants: 'true' }].map((query) => ({ path: { key_id }, query })),
    ),
  deleteContext: (scene) => [...only(inContext(), DRY)(scene), ...inContext()(scene)],
  deleteMemory: (scene) => [...only(ofMemories(), DRY)(scene), ...ofMemories()(scene)],
  deleteGraph: (scene) => [...only(inGraph(), DRY)(scene), ...inGraph()(scene)],
}

/** As arguments of the tools. */
const TOOL_CALLS: { readonly [Name in ToolName]: (scene: Scene) => readonly Record<string, unknown>[] } = {
  recall: () => [{ query: QUESTION }, { query: QUESTION, limit: 100 }, { question: QUESTION }],
  insight: () => [{ task: QUESTION, explain: true }, {}],
  record: (scene) => eventsOf(scene).map(({ source: _s, timestamp: _t, valid_until: _v, ...given }) => given),
  browse: () => [{}, { type: 'known' }, { q: 'vault' }, { context_id: KNOWN }, { page: -1 }],
  brief: () => [{}, { task: QUESTION }, { valid_at: 'x' }],
  forget: ({ memories, elsewhere }) => [
    ...[...memories, elsewhere].map((memory_id) => ({ memory_id })),
    { context_id: KNOWN },
    { context_id: KNOWN, memory_id: memories[0] },
    { context_id: KNOWN, confirm: true },
  ],
}

const document = readOpenApi()
const operations = operationsOf(document)
const { document: contract } = readContract(JSON.stringify(document))
const rows = operations.flatMap(({ id }) => SCOPES.map((held) => ({ id: id as OperationId, held })))
const scopeOf = new Map(operations.map(({ id, object }) => [id, object['x-required-scope']]))

/** The words in an answer that the caller has not sent himself. */
function wordsIn(answer: unknown, sent: unknown, { recorders }: Scene): string[] {
  const [got, known] = [JSON.stringify(answer), JSON.stringify(sent)]
  return [...Object.keys(WORDS), ...recorders].filter((word) => got.includes(word) && !known.includes(word))
}

/** The words that a key must not get. */
function forbiddenTo(held: Scope, isPinned: boolean, { recorders }: Scene): string[] {
  const words = Object.entries(WORDS).filter(
    ([, { scope, elsewhere = false }]) => scope !== held || (isPinned && elsewhere),
  )
  const [, foreigner = ''] = recorders
  const ids = held !== 'admin' ? recorders : isPinned ? [foreigner] : []
  return [...words.map(([word]) => word), ...ids]
}

/** Every call of an operation, and the first of them with something that the contract does not know. */
function callsOf(id: OperationId, scene: Scene): Call[] {
  const calls = CALLS[id](scene)
  const [first = {}] = calls
  const { body } = first
  const withMore = typeof body === 'object' && body !== null ? [{ ...first, body: { ...body, more: 1 } }] : []
  return [...calls, { ...first, query: { more: 1 } }, ...withMore]
}

async function keysOf(held: Scope, { graph }: Scene) {
  const free = await server.key({ name: 'free', scopes: [held] })
  const pinned = await server.key({ name: 'pinned', scopes: [held], graphs: [graph] })
  return [
    { ...pinned, isPinned: true },
    { ...free, isPinned: false },
  ]
}

const shared = new Map<string, Promise<Scene>>()

/** A scene of its own for what changes one; all others of a kind of key share theirs. */
function sceneFor(id: OperationId, held: Scope, which: number): Promise<Scene> {
  const scope = scopeOf.get(id)
  if (scope === held && scope !== 'read') return setScene()
  const name = `${held} ${which}`
  const scene = shared.get(name) ?? setScene()
  shared.set(name, scene)
  return scene
}

describe('C2: a key of one scope gets no byte that others recorded and its scope does not let it see', () => {
  test.each(rows)('$id with the scope $held', async ({ id, held }) => {
    const statuses = new Set<number>()
    const scope = scopeOf.get(id)
    const isAllowed = scope === held || scope === 'any'
    for (const which of [0, 1]) {
      const scene = await sceneFor(id, held, which)
      const { headers, isPinned } = (await keysOf(held, scene))[which] ?? { headers: {}, isPinned: true }
      const forbidden = forbiddenTo(held, isPinned, scene)
      const calls = callsOf(id, scene)
      // The scope is asked for before anything else of a request is read.
      for (const call of isAllowed ? calls : [...calls.slice(0, 1), ...calls.slice(-1)]) {
        const {
          status,
          headers: received,
          text,
        } = await api.call(id, { ...call, headers: { ...call.headers, ...headers } })
        statuses.add(status)
        const words = wordsIn([received, text], call, scene)
        expect(
          words.filter((word) => forbidden.includes(word)),
          `${JSON.stringify(call)}: ${text}`,
        ).toEqual([])
      }
    }
    // Where nothing succeeds, nothing was asked.
    if (isAllowed) expect([...statuses].some((status) => status < 300)).toBe(true)
    else expect(statuses).toEqual(new Set([403]))
  })

  test.each(SCOPES)('MCP and hooks with the scope %s', async (held) => {
    for (const which of [0, 1]) {
      const scene = await setScene()
      const { secret, headers, isPinned } = (await keysOf(held, scene))[which] ?? {
        secret: '',
        headers: {},
        isPinned: true,
      }
      const forbidden = forbiddenTo(held, isPinned, scene)
      const expectNone = (answer: unknown, sent: unknown) =>
        expect(
          wordsIn(answer, sent, scene).filter((word) => forbidden.includes(word)),
          JSON.stringify([sent, answer]),
        ).toEqual([])
      for (const [sent, answer] of await overMcp(scene, secret)) expectNone(answer, sent)
      for (const host of HOOK_HOSTS)
        for (const hook_event_name of [
          'SessionStart',
          'UserPromptSubmit',
          'BeforeAgent',
          'beforeSubmitPrompt',
        ]) {
          const json = { hook_event_name, session_id: 's', sessionId: 's', prompt: QUESTION }
          const answer = await server.fetch(`/hooks/${scene.graph}/${host}`, { json, headers })
          expectNone(await answer.text(), json)
        }
    }
  })

  test('every tool is asked', () => {
    expect(Object.keys(TOOL_CALLS)).toEqual(Object.keys(toolsOf(contract)))
  })

  test('with every scope, each of the words is found, by records, dry runs and MCP too', async () => {
    const found = new Set<string>()
    const inRecords = new Set<string>()
    const reading = await setScene()
    for (const { id } of operations) {
      const scene = scopeOf.get(id) === 'read' ? reading : await setScene()
      for (const call of callsOf(id as OperationId, scene)) {
        const { headers, text } = await api.call(id as OperationId, call)
        for (const word of wordsIn([headers, text], call, scene)) {
          found.add(word)
          if (id === 'recordEvent') inRecords.add(word)
        }
      }
    }
    expect([...found]).toEqual(expect.arrayContaining(Object.keys(WORDS)))
    expect([...inRecords]).toEqual(expect.arrayContaining(['textword', 'laterword', 'typeword', 'nameword']))
    const scene = await setScene()
    const recorded = (await overMcp(scene, server.secret)).filter(([sent]) => sent[0] === 'record')
    expect(wordsIn(recorded, [], scene)).toEqual(expect.arrayContaining(['textword', 'nameword']))
  })
})

/** All that a host can ask for, with what it was answered or the error that it got. */
async function overMcp(
  scene: Scene,
  secret: string,
): Promise<(readonly [sent: readonly unknown[], answer: unknown])[]> {
  const { graph } = scene
  const host = await overHttp(`${server.url}/mcp/${graph}?erase=true`, secret)
  const { client } = host
  const answers: [readonly unknown[], unknown][] = []
  const ask = async (sent: readonly unknown[], answer: Promise<unknown>) =>
    answers.push([sent, await answer.catch((error: unknown) => `${error} ${JSON.stringify(error)}`)])
  await ask(['tools'], host.tools())
  await ask(['instructions'], Promise.resolve(client.getInstructions()))
  await ask(['templates'], client.listResourceTemplates())
  await ask(['resources'], client.listResources())
  await ask(['prompts'], client.listPrompts())
  await ask(['read', KNOWN], client.readResource({ uri: `loregraph://${graph}/known/vault` }))
  await ask(['brief'], client.getPrompt({ name: 'brief' }))
  await ask(['brief', QUESTION], client.getPrompt({ name: 'brief', arguments: { task: QUESTION } }))
  for (const [name, callsOfTool] of Object.entries(TOOL_CALLS))
    for (const given of callsOfTool(scene)) await ask([name, given], host.call(name, given))
  await host.close()
  return answers
}
