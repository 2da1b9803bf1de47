import { readGraphs } from '../quality/graphs.js'
import { fillStore, type StoreName } from './filled-store.js'
import { interleave, median, promised, type Row } from './measure.js'
import { GRAPH, type Service } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'

const EACH = 5
/** What a question about the past may cost beside the same about the present. */
const MOST_RATIO = 5

/** The same questions about the present and about the graph as it was when it held half, in turns, over HTTP. */
export async function benchThen(
  stores: readonly StoreName[],
  memories: number,
  rounds: number,
): Promise<Row[]> {
  const graphs = new SyntheticGraphs(await readGraphs())
  const rows: Row[] = []
  for (const store of stores) {
    const { service, dispose } = await fillStore(store, (i) => graphs.event(i), memories)
    try {
      const subject = `${store}, ${memories.toLocaleString('en')}`
      rows.push(...(await askThen(service, graphs, memories, rounds, subject)))
    } finally {
      await dispose()
    }
  }
  return rows
}

export async function askThen(
  service: Service,
  graphs: SyntheticGraphs,
  memories: number,
  rounds: number,
  subject: string,
): Promise<Row[]> {
  const place = String(Math.floor(memories / 2))
  const rows: Row[] = []
  for (const [kind, toRequest] of Object.entries(kinds(graphs, memories))) {
    const turns = { present: 0, past: 0 }
    const subjects = {
      present: () => service.send(...toRequest(turns.present++)),
      past: () => service.send(...toRequest(turns.past++, place)),
    }
    // Those of the first round warm up.
    const times = await interleave(subjects, rounds + 1, EACH)
    const usual = (when: string) => median(times.get(when)?.slice(EACH) ?? [])
    const [present, past] = [usual('present'), usual('past')]
    const value = past / present
    const ratio = { what: `${kind}, then ÷ now`, subject, value, unit: '×' }
    rows.push(
      { what: `${kind}, p50`, subject, value: present, unit: 'ms' },
      { what: `${kind} then, p50`, subject, value: past, unit: 'ms' },
      promised(ratio, `≤ ${MOST_RATIO}`, value <= MOST_RATIO),
    )
  }
  return rows
}

type ToRequest = (turn: number, asOf?: string) => [path: string, body?: string]

function kinds(graphs: SyntheticGraphs, memories: number): Readonly<Record<string, ToRequest>> {
  const post = (path: string, fields: object, asOf?: string): [string, string] => [
    path,
    JSON.stringify({ graph_id: GRAPH, ...fields, ...(asOf !== undefined && { as_of: asOf }) }),
  ]
  const get = (parts: readonly string[], query: Record<string, string>, asOf?: string): [string] => {
    const search = new URLSearchParams({ ...query, ...(asOf !== undefined && { as_of: asOf }) })
    return [`${['/v1/contexts', GRAPH, ...parts.map(encodeURIComponent)].join('/')}?${search}`]
  }
  /** A context that was there at the middle. */
  const somewhere = (turn: number) => {
    const [type = '', name = ''] = graphs.event((turn * 7919) % (memories / 2)).context_id.split(/:(.*)/)
    return { type, name }
  }
  return {
    'browse types': (_, asOf) => get([], {}, asOf),
    'browse contexts': (turn, asOf) => get([somewhere(turn).type], {}, asOf),
    search: (turn, asOf) => get([], { q: somewhere(turn).name.split('_').slice(0, 2).join(' ') }, asOf),
    'one context': (turn, asOf) => get([somewhere(turn).type, somewhere(turn).name], {}, asOf),
    relationships: (turn, asOf) =>
      get([somewhere(turn).type, somewhere(turn).name, 'relationships'], {}, asOf),
    recall: (turn, asOf) => post('/v1/memories', { query: graphs.task(turn * 7), format: 'json' }, asOf),
    insight: (turn, asOf) => post('/v1/memories/insights', { task: graphs.task(turn * 11) }, asOf),
  }
}
