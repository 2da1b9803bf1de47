import { shortened, shortName } from '../domain/brief/shorten.js'
import { type Asking, dataOf, unlessRefused } from './tools/asking.js'

/** A person picks from this list, and a host may put all of it before the model. */
const MOST = 10
/** Statements that are looked at: some repeat a memory, and some memories were replaced since. */
const STATEMENTS = 30
const MAX_GRAPHS = 3
const TITLE_CHARS = 100

/** The latest memories that still stand, as resources; none where they cannot be read. */
export async function recentMemories({ client, graph, graphs }: Asking) {
  const named = ((await unlessRefused(graphs())) ?? []).slice(0, MAX_GRAPHS)
  const share = Math.ceil(MOST / Math.max(1, named.length))
  const found = named.map(async (name) => recentIn(client, await graph(name), share))
  return (await Promise.all(found.map((one) => unlessRefused(one)))).flatMap((it) => it ?? [])
}

async function recentIn(client: Asking['client'], graph_id: string, most: number) {
  const path = { graph_id }
  const { place } = await dataOf(client.GET('/v1/graphs/{graph_id}', { params: { path } }))
  const query = { after: Math.max(0, place - STATEMENTS) }
  const asked = client.GET('/v1/graphs/{graph_id}/events', { params: { path, query }, parseAs: 'text' })
  const ids = idsIn(await dataOf(asked)).slice(0, most)
  const read = ids.map((memory_id) =>
    dataOf(client.GET('/v1/memories/{graph_id}/{memory_id}', { params: { path: { graph_id, memory_id } } })),
  )
  // One that was erased meanwhile is none.
  const memories = (await Promise.all(read.map((one) => unlessRefused(one)))).flatMap((it) => it ?? [])
  return memories
    .filter(({ status }) => status !== 'superseded' && status !== 'expired')
    .map(({ memory_id, context_id, text, source, recorded_at }) => ({
      uri: `loregraph://${encodeURIComponent(graph_id)}/memory/${memory_id}`,
      name: memory_id,
      title: shortened(text, TITLE_CHARS),
      description: `${shortName(context_id)}, recorded ${recorded_at.slice(0, 10)} by ${source}; may be outdated.`,
    }))
}

/** The ids in an export, the latest first, each once. */
function idsIn(lines: string): readonly string[] {
  const ids = lines.split('\n').flatMap((line) => {
    const { memory_id }: { memory_id?: unknown } = line === '' ? {} : JSON.parse(line)
    return typeof memory_id === 'string' ? [memory_id] : []
  })
  return [...new Set(ids.reverse())]
}
