import { counted } from '../../domain/insight/sentences.js'
import { hang, harmless, LABEL, labelled, paint } from '../output/terminal.js'
import { OPTIONS, wholeNumber } from '../parse/options.js'
import type { Insight } from '../target/api.js'
import type { Job } from './job.js'

const COLOUR = { high: 'green', medium: 'yellow', low: 'red' } as const

export async function insight(job: Job): Promise<void> {
  const { api, operands, values, terminal, print, note } = job
  const [graph_id = '', task = ''] = operands
  const { limit = OPTIONS.limit.fallback, explain = false, 'as-of': as_of, 'valid-at': valid_at } = values
  const answer = await api.insight({
    graph_id,
    task,
    limit: wholeNumber(limit),
    explain,
    ...(as_of !== undefined && { as_of }),
    ...(valid_at !== undefined && { valid_at }),
  })
  if (values.json) return print(JSON.stringify(answer))
  noteUnread(answer.unread, note)
  const { confidence, score } = answer
  print(labelled(terminal, 'Insight', answer.insight))
  print(labelled(terminal, 'Do', answer.recommendation))
  const level = paint(terminal, COLOUR[confidence], confidence)
  print(
    `${paint(terminal, 'bold', 'Confidence'.padEnd(LABEL))}${level}${score === undefined ? '' : ` (${score.toFixed(2)})`}`,
  )
  for (const reason of answer.reasons ?? [])
    print(hang(`${' '.repeat(LABEL)}- `, harmless(reason), terminal.columns))
  await printEvidence(graph_id, answer.evidence ?? [], job)
}

/** Says that the answer may be another one soon. */
export function noteUnread(unread = 0, note: Job['note']): void {
  if (unread > 0)
    note(`${counted(unread, 'memory has', 'memories have')} not been read for meaning yet. Ask again later.`)
}

async function printEvidence(
  graph: string,
  evidence: NonNullable<Insight['evidence']>,
  { api, terminal, print }: Job,
): Promise<void> {
  if (evidence.length === 0) return
  const memories = await Promise.all(evidence.map((it) => api.memory(graph, it.memory_id)))
  print(`\n${paint(terminal, 'bold', 'Evidence')}`)
  for (const [i, { role, context_id, text, memory_id }] of evidence.entries()) {
    const date = memories[i]?.occurred_at.slice(0, 10) ?? 'erased since'
    const number = `${i + 1}.`.padEnd(4)
    print(`${number}${role}, ${date}, ${harmless(context_id)}  ${paint(terminal, 'dim', memory_id)}`)
    print(hang(' '.repeat(4), harmless(text), terminal.columns))
  }
}

/** `loregraph brief`: the Markdown as it is, to be read or to be given to an agent. */
export async function brief({ api, operands: [graph = ''], values, print }: Job): Promise<void> {
  const { task, 'max-chars': count = OPTIONS['max-chars'].fallback } = values
  const answer = await api.brief(graph, {
    max_chars: wholeNumber(count),
    ...(task !== undefined && { task }),
  })
  if (values.json) return print(JSON.stringify(answer))
  print(answer.brief.trimEnd().split('\n').map(harmless).join('\n'))
}
