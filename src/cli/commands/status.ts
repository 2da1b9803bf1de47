import { counted, labelled } from '../output/terminal.js'
import { type GraphDetail, unlessGone } from '../target/api.js'
import type { Job } from './job.js'

/** `loregraph status`: all graphs, a line each, or one of them in numbers. */
export async function status(job: Job): Promise<void> {
  const { api, operands, values, print } = job
  const [graph] = operands
  if (graph === undefined) return printAll(job)
  const answer = await api.graph(graph)
  if (values.json) print(JSON.stringify(answer))
  else printOne(answer, job)
}

async function printAll({ api, values, print, note }: Job): Promise<void> {
  const graphs: GraphDetail[] = []
  for (const id of await api.graphIds()) {
    const graph = await api.graph(id).catch(unlessGone)
    if (graph !== undefined) graphs.push(graph)
  }
  if (values.json) return print(JSON.stringify({ graphs, total: graphs.length }))
  if (graphs.length === 0)
    note('There are no graphs yet. Make one with "loregraph demo" or "loregraph import".')
  const width = Math.max(...graphs.map(({ graph_id }) => graph_id.length))
  for (const graph of graphs) print(`${graph.graph_id.padEnd(width)}  ${summary(graph)}`)
}

function summary({ memories, contexts, last_recorded_at, unread }: GraphDetail): string {
  const latest = last_recorded_at === undefined ? '' : `, the latest recorded at ${last_recorded_at}`
  const behind = unread === 0 ? '' : `; ${unread} not embedded yet`
  return `${memoriesIn(memories, contexts)}${latest}${behind}`
}

function printOne(graph: GraphDetail, { terminal, print }: Job): void {
  const { first_recorded_at: first, last_recorded_at: last, unread } = graph
  const tell = (label: string, text: string) => print(labelled(terminal, label, text))
  const statements = counted(graph.statements, 'statement')
  tell('Graph', graph.graph_id)
  tell('Holds', memoriesIn(graph.memories, graph.contexts))
  tell('', `${counted(graph.relationships, 'link')} between contexts`)
  tell('Status', shares(graph.by_status))
  if (graph.more_stale) tell('', 'some of the current ones may be stale: there are too many to find all')
  for (const [i, type] of graph.by_context_type.entries())
    tell(i === 0 ? 'Types' : '', `${type.context_type}: ${memoriesIn(type.memories, type.contexts)}`)
  tell('Kinds', shares(graph.by_event_kind))
  tell('Sources', shares(graph.by_source))
  tell('Recorded', first && last ? `${statements}, from ${first} to ${last}` : statements)
  for (const { month, statements: count } of graph.by_month)
    tell('', `${month}: ${counted(count, 'statement')}`)
  tell('Place', `${graph.place}, that of the latest event`)
  if (unread > 0)
    tell('Unread', `${counted(unread, 'memory', 'memories')} not embedded yet, found by words alone`)
}

function memoriesIn(memories: number, contexts: number): string {
  return `${counted(memories, 'memory', 'memories')} in ${counted(contexts, 'context')}`
}

/** The counts that are not 0. */
function shares(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([name, count]) => `${count} ${name}`).join(', ') || 'none'
}
