import { hang, harmless, paint } from '../output/terminal.js'
import type { Memory } from '../target/api.js'
import type { Job } from './job.js'

/** `loregraph disputes` */
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

/** `loregraph stale` */
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
