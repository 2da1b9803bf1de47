import { harmless, LABEL, labelled } from '../output/terminal.js'
import type { History } from '../target/api.js'
import type { Job } from './job.js'

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
