import { interleave } from './measure.js'
import { GRAPH, type Service } from './service.js'
import type { SyntheticGraphs } from './synthetic-graphs.js'

/** Requests of a kind in each round, but for batches. */
export const EACH = 5
const BATCH = 1000

/** What one kind of request took on one side, in milliseconds. */
export interface Took {
  readonly times: readonly number[]
  /** Of each request, which other processes do not lengthen as they do the time. */
  readonly cpuMs: number
}

/** By kind of request, then by side. */
export type Answers = ReadonlyMap<string, ReadonlyMap<string, Took>>

/**
 * Asks services that hold the same `memories` the same things, in alternating rounds. The first round of each kind
 * warms up.
 */
export async function askAll(
  sides: Readonly<Record<string, Service>>,
  graphs: SyntheticGraphs,
  memories: number,
  rounds: number,
): Promise<Answers> {
  const all = new Map<string, ReadonlyMap<string, Took>>()
  for (const [kind, toRequest] of Object.entries(kinds(graphs, memories))) {
    const each = kind.startsWith('batch') ? 1 : EACH
    // Made before anything is measured.
    const requests = Array.from({ length: each * (rounds + 1) }, (_, turn) => toRequest(turn))
    const subjects = Object.entries(sides).map(([side, service]) => {
      let turn = 0
      return [side, () => service.send(...(requests[turn++] ?? ['/']))] as const
    })
    const cpu = () => Promise.all(Object.values(sides).map((service) => service.cpuMs()))
    const before = await cpu()
    const times = await interleave(Object.fromEntries(subjects), rounds + 1, each)
    const after = await cpu()
    const took = Array.from(times, ([side, samples], i): [string, Took] => [
      side,
      {
        times: samples.slice(each),
        cpuMs: ((after[i] ?? 0) - (before[i] ?? 0)) / samples.length,
      },
    ])
    all.set(kind, new Map(took))
  }
  return all
}

type ToRequest = (turn: number) => [path: string, body?: string]

function kinds(graphs: SyntheticGraphs, memories: number): Readonly<Record<string, ToRequest>> {
  const body = (fields: object) => JSON.stringify({ graph_id: GRAPH, ...fields })
  const contexts = (...parts: readonly string[]) =>
    ['/v1/contexts', GRAPH, ...parts.map(encodeURIComponent)].join('/')
  const somewhere = (turn: number) => {
    const [type = '', name = ''] = graphs.event((turn * 7919) % memories).context_id.split(/:(.*)/)
    return { type, name }
  }
  let recorded = memories
  const event = () => graphs.event(recorded++)
  return {
    listContexts: (turn) => [contexts(somewhere(turn).type)],
    getContext: (turn) => [contexts(somewhere(turn).type, somewhere(turn).name)],
    search: (turn) => {
      const words = somewhere(turn).name.split('_').slice(0, 2).join(' ')
      return [`${contexts()}?q=${encodeURIComponent(words)}`]
    },
    recall: (turn) => ['/v1/memories', body({ query: graphs.task(turn * 7), format: 'json' })],
    insight: (turn) => ['/v1/memories/insights', body({ task: graphs.task(turn * 11) })],
    // Last, because what is recorded is read for meaning for a while.
    recordEvent: () => ['/v1/events', body(event())],
    'batch of 1,000': () => ['/v1/events/batch', body({ events: Array.from({ length: BATCH }, event) })],
  }
}
