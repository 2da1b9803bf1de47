import { foldContextId } from '../../domain/names.js'
import { counted, hang, harmless, LABEL, labelled, paint } from '../output/terminal.js'
import { OPTIONS, wholeNumber } from '../parse/options.js'
import { type GraphDetail, type History, type Memory, type Neighbourhood, unlessGone } from '../target/api.js'
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

function shares(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([name, count]) => `${count} ${name}`).join(', ') || 'none'
}

export async function disputes(job: Job): Promise<void> {
  const { api, operands, values, print, note } = job
  const [graph = ''] = operands
  const { disputes: all } = await api.disputes(graph)
  if (values.json) return print(JSON.stringify({ disputes: all, total: all.length }))
  if (all.length === 0) note(`Nothing in ${graph} is in open contradiction.`)
  for (const [i, { earlier, later }] of all.entries()) {
    printMemory(job, numbered(i), earlier)
    printMemory(job, INDENT, later)
  }
}

export async function stale(job: Job): Promise<void> {
  const { api, operands, values, terminal, print, note } = job
  const [graph = ''] = operands
  const { stale: all, more_stale } = await api.stale(graph)
  if (values.json) return print(JSON.stringify({ stale: all, total: all.length, more_stale }))
  if (all.length === 0) note(`Nothing in ${graph} builds on something that was replaced.`)
  for (const [i, { memory, because }] of all.entries()) {
    printMemory(job, numbered(i), memory)
    if (because.length === 0) print(`${INDENT}  builds on something that has been erased since`)
    for (const { memory_id, context_id, superseded_by } of because) {
      const by = superseded_by.length === 0 ? 'replaced' : `replaced by ${superseded_by.join(', ')}`
      print(hang(`${INDENT}  `, `builds on ${memory_id} of ${harmless(context_id)}, ${by}`, terminal.columns))
    }
  }
  if (more_stale) note('There may be more: settle some of these, and ask again.')
}

const INDENT = ' '.repeat(4)

function numbered(index: number): string {
  return `${index + 1}. `.padEnd(INDENT.length)
}

function printMemory({ terminal, print }: Job, before: string, memory: Memory): void {
  const { source, occurred_at, context_id, memory_id, text } = memory
  const id = paint(terminal, 'dim', memory_id)
  print(`${before}${source}, ${occurred_at.slice(0, 10)}, ${harmless(context_id)}  ${id}`)
  print(hang(`${INDENT}  `, harmless(text), terminal.columns))
}

/** `loregraph history`: the statements of a memory in order, what replaced what, and when it holds. */
export async function history({ api, operands, values, terminal, print }: Job): Promise<void> {
  const [graph = '', memoryId = ''] = operands
  const answer = await api.history(graph, memoryId)
  if (values.json) return print(JSON.stringify(answer))
  const memory = await api.memory(graph, memoryId)
  const tell = (label: string, text: string) => print(labelled(terminal, label, text))
  tell('Memory', memory === undefined ? 'erased since' : memory.text)
  if (memory !== undefined) tell('', `${memory.status}, in ${memory.context_id}`)
  for (const { field, by } of memory?.replaced ?? []) tell('', `${harmless(field)} is that of ${by}`)
  for (const [i, statement] of answer.statements.entries()) {
    tell(i === 0 ? 'Stated' : '', `${moment(statement)}${manner(statement, i)}`)
    for (const { effect, memory_id, context_id } of statement.bears_on)
      print(`${' '.repeat(LABEL + 2)}${effect} ${memory_id} of ${harmless(context_id)}`)
  }
  for (const [i, one] of answer.supersedes.entries()) tell(i === 0 ? 'Replaced' : '', replacement(one))
  for (const [i, one] of answer.superseded_by.entries()) tell(i === 0 ? 'Replaced by' : '', replacement(one))
  for (const [i, spell] of answer.spells.entries()) tell(i === 0 ? 'Holds' : '', spellText(spell))
}

type Statement = History['statements'][number]

function spellText({ field, valid_from, valid_to, by }: History['spells'][number]): string {
  const what = field === undefined ? '' : `${harmless(field)} `
  const until = valid_to === undefined ? '' : ` until ${valid_to}`
  return `${what}from ${valid_from}${until}${by === undefined ? '' : `, then ${by}`}`
}

function moment({ place, recorded_at, source }: Pick<Statement, 'place' | 'recorded_at' | 'source'>): string {
  return `at place ${place}, ${recorded_at}, by ${source}`
}

function manner({ own, event_id }: Statement, index: number): string {
  if (!own) return `, reinforced by ${event_id}`
  return index === 0 ? '' : ', again'
}

function replacement(one: History['supersedes'][number]): string {
  return `${one.memory_id} ${moment(one)}`
}

/** `loregraph around`: the contexts around one, and the links among them. */
export async function around(job: Job): Promise<void> {
  const { api, operands, values, print } = job
  const [graph = '', context = ''] = operands
  const depth = wholeNumber(values.depth ?? OPTIONS.depth.fallback)
  const answer = await api.around(graph, foldContextId(context), depth)
  if (values.json) print(JSON.stringify(answer))
  else printNeighbourhood(answer, job)
}

function printNeighbourhood(answer: Neighbourhood, { terminal, print, note }: Job): void {
  const { contexts, relationships, left_out } = answer
  print(paint(terminal, 'bold', 'Contexts'))
  for (const { distance, context_id, memory_count } of contexts) {
    const away = distance === 0 ? '' : `, ${counted(distance, 'link')} away`
    print(`  ${harmless(context_id)}: ${counted(memory_count, 'memory', 'memories')}${away}`)
  }
  if (relationships.length > 0) print(`\n${paint(terminal, 'bold', 'Links')}`)
  for (const { from, to, kind, weight } of relationships) {
    const stated = `stated by ${counted(weight, 'memory', 'memories')}`
    print(`  ${harmless(from)} -> ${harmless(to)}: ${kind}, ${stated}`)
  }
  if (left_out.contexts > 0) note(`Not shown: ${counted(left_out.contexts, 'more context')}.`)
  if (left_out.relationships > 0) note(`Not shown: ${counted(left_out.relationships, 'more link')}.`)
  if (left_out.unexplored > 0)
    note(`Too many links to look at all of them: ${counted(left_out.unexplored, 'context')}.`)
}
