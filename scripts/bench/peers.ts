import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createEvents } from './data.js'
import { interleave, median, promised, type Row, timingRows } from './measure.js'
import { GRAPH, startService } from './service.js'

const WARM_UP = 500
/** About 400 bytes of text an entity. */
const WORDS = 52

interface Content {
  readonly name: string
  readonly text: string
}

/** The same things, written and searched, here and with the MCP memory server, each over its own protocol. */
export async function benchPeers(entities: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-peers-'))
  const eventAt = createEvents(2, WORDS)
  let index = 0
  const next = (): Content => ({ name: `entity_${index}`, text: String(eventAt(index++).payload['text']) })
  const contents = Array.from({ length: entities }, next)

  const peer = await startMemoryServer(join(folder, 'memory.json'))
  const create = (them: readonly Content[]) =>
    peer.callTool({
      name: 'create_entities',
      arguments: {
        entities: them.map(({ name, text }) => ({ name, entityType: 'skill', observations: [text] })),
      },
    })
  for (let i = 0; i < entities; i += 1000) await create(contents.slice(i, i + 1000))
  const searchPeer = (query: string) => peer.callTool({ name: 'search_nodes', arguments: { query } })
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
    if (i % 50 === 0) await searchPeer(`entity_${i}`)
  }
  const writes = await interleave({ Loregraph: record, [PEER]: () => create([next()]) }, 5, 15)
  let asked = 0
  const query = () => contents[(asked++ * 97) % entities]?.name ?? ''
  const searches = await interleave(
    { Loregraph: () => search(query()), [PEER]: () => searchPeer(query()) },
    5,
    15,
  )
  await ours.stop()
  await peer.close()
  await rm(folder, { recursive: true, force: true })
  const label = `${entities.toLocaleString('en')} entities`
  return [...compared(`write at ${label}`, writes, 50), ...compared(`search at ${label}`, searches, 10)]
}

const PEER = 'MCP memory server'

function compared(what: string, times: ReadonlyMap<string, readonly number[]>, least: number): Row[] {
  const value = median(times.get(PEER) ?? []) / median(times.get('Loregraph') ?? [])
  const row = { what: `${what}, faster than the ${PEER}`, subject: 'Loregraph', value, unit: '×' }
  return [...timingRows(what, times), promised(row, `≥ ${least}`, value >= least)]
}

/** The reference server of the Model Context Protocol for memory, spoken to as its clients do. */
async function startMemoryServer(file: string): Promise<Client> {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json')
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(dirname(manifest), 'dist', 'index.js')],
      env: { MEMORY_FILE_PATH: file },
      stderr: 'ignore',
    }),
  )
  return client
}
