import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { createEvents } from './data.js'
import { interleave, median, promised, type Row, timingRows } from './measure.js'
import { GRAPH, startService } from './service.js'

const WARM_UP = 500
/** About 400 bytes of text an entity. */
const WORDS = 52

/** The same things, written and searched, with what people use today: each in a process of its own, over its own protocol. */
export async function benchPeers(entities: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-peers-'))
  const eventAt = createEvents(2, WORDS)
  const contents = Array.from({ length: entities }, (_, i) => contentOf(i, eventAt))
  let index = entities
  const next = () => contentOf(index++, eventAt)

  const mcp = await startMemoryServer(join(folder, 'memory.json'))
  const create = (them: readonly Content[]) =>
    mcp.call('create_entities', {
      entities: them.map(({ name, text }) => ({ name, entityType: 'skill', observations: [text] })),
    })
  for (let i = 0; i < entities; i += 1000) await create(contents.slice(i, i + 1000))
  const file = new JSONFile<{ entities: Content[] }>(join(folder, 'low.json'))
  const low = new Low(file, { entities: [...contents] })
  await low.write()
  const ours = await startService()
  const bodyOf = ({ name, text }: Content) => ({
    event_kind: 'fact',
    context_id: `skill:${name}`,
    payload: { text },
  })
  await ours.fill((i) => bodyOf(contents[i] ?? next()), entities)
  const record = () => ours.post('/v1/events', { graph_id: GRAPH, ...bodyOf(next()) })
  const search = (name: string) => ours.send(`/v1/contexts/${GRAPH}?q=${encodeURIComponent(name)}`)

  // A server that has just started is not what people use: each is asked a little first.
  for (let i = 0; i < WARM_UP; i++) {
    await record()
    await search(`entity_${i}`)
    if (i % 50 === 0) await mcp.call('search_nodes', { query: `entity_${i}` })
  }

  const label = entities.toLocaleString('en')
  const writes = await interleave(
    {
      Loregraph: record,
      'MCP memory server': () => create([next()]),
      lowdb: async () => {
        low.data.entities.push(next())
        await low.write()
      },
    },
    5,
    15,
  )
  let asked = 0
  const query = () => contents[(asked++ * 97) % entities]?.name ?? ''
  const searches = await interleave(
    {
      Loregraph: () => search(query()),
      'MCP memory server': () => mcp.call('search_nodes', { query: query() }),
      lowdb: async () => {
        const wanted = query()
        return low.data.entities.filter(({ name, text }) => name.includes(wanted) || text.includes(wanted))
      },
    },
    5,
    15,
  )
  await ours.stop()
  mcp.child.kill()
  await rm(folder, { recursive: true, force: true })
  return [
    ...timingRows(`write at ${label} entities`, writes),
    timesFaster(`write at ${label} entities`, writes, 50),
    ...timingRows(`search at ${label} entities`, searches),
    timesFaster(`search at ${label} entities`, searches, 10),
  ]
}

function timesFaster(what: string, times: ReadonlyMap<string, readonly number[]>, least: number): Row {
  const value = median(times.get('MCP memory server') ?? []) / median(times.get('Loregraph') ?? [])
  const row = { what: `${what}, faster than the MCP memory server`, subject: 'Loregraph', value, unit: '×' }
  return promised(row, `≥ ${least}`, value >= least)
}

interface Content {
  readonly name: string
  readonly text: string
}

function contentOf(index: number, eventAt: ReturnType<typeof createEvents>): Content {
  const { payload } = eventAt(index)
  return { name: `entity_${index}`, text: String(payload['text']) }
}

/** The reference server of the Model Context Protocol for memory, spoken to as its clients do. */
async function startMemoryServer(file: string) {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json')
  const child: ChildProcess = spawn(process.execPath, [join(dirname(manifest), 'dist', 'index.js')], {
    env: { PATH: process.env['PATH'], MEMORY_FILE_PATH: file },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (answer: { result?: unknown; error?: unknown }) => void>()
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line)
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    })
  let id = 0
  const request = (method: string, params: object) =>
    new Promise((resolve, reject) => {
      waiting.set(++id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(JSON.stringify(error))),
      )
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  await request('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return { child, call: (name: string, args: object) => request('tools/call', { name, arguments: args }) }
}
