import { LABEL, labelled } from '../output/labelled.js'
import { harmless, paint } from '../output/terminal.js'
import { hang } from '../output/wrap.js'
import { usage } from '../parse/args.js'
import {
  asOfMistakes,
  graphMistakes,
  limitMistakes,
  taskMistakes,
  validAtMistakes,
} from '../parse/check-operands.js'
import { OPTIONS, type Values } from '../parse/options.js'
import type { Api, Insight, Question } from '../target/api.js'
import type { Job, Prepare } from './job.js'

function readQuestion([graph = '', task = '']: readonly string[], values: Values): Question {
  const limit = values.limit ?? OPTIONS.limit.fallback
  const { 'as-of': as_of, 'valid-at': valid_at } = values
  const mistakes = [
    ...graphMistakes(graph),
    ...taskMistakes(task),
    ...limitMistakes(limit),
    ...asOfMistakes(as_of),
    ...validAtMistakes(valid_at),
  ]
  if (mistakes.length > 0) throw usage(mistakes, 'loregraph insight --help')
  return {
    graph_id: graph,
    task,
    limit: Number(limit),
    explain: values.explain ?? false,
    ...(as_of !== undefined && { as_of }),
    ...(valid_at !== undefined && { valid_at }),
  }
}

const COLOUR = { high: 'green', medium: 'yellow', low: 'red' } as const

/** `loregraph insight` */
export const insight: Prepare = (job) => {
  const question = readQuestion(job.operands, job.values)
  return (api) => ask(api, question, job)
}

async function ask(api: Api, question: Question, job: Job): Promise<void> {
  const { values, terminal, print } = job
  const answer = await api.insight(question)
  if (values.json) return print(JSON.stringify(answer))
  const { confidence, score } = answer
  print(labelled(terminal, 'Insight', answer.insight))
  print(labelled(terminal, 'Do', answer.recommendation))
  const level = paint(terminal, COLOUR[confidence], confidence)
  print(
    `${paint(terminal, 'bold', 'Confidence'.padEnd(LABEL))}${level}${score === undefined ? '' : ` (${score.toFixed(2)})`}`,
  )
  for (const reason of answer.reasons ?? [])
    print(hang(`${' '.repeat(LABEL)}- `, harmless(reason), terminal.columns))
  await printEvidence(api, question, answer.evidence ?? [], job)
}

async function printEvidence(
  api: Api,
  { graph_id }: Question,
  evidence: NonNullable<Insight['evidence']>,
  { terminal, print }: Job,
): Promise<void> {
  if (evidence.length === 0) return
  const memories = await Promise.all(evidence.map((it) => api.memory(graph_id, it.memory_id)))
  print(`\n${paint(terminal, 'bold', 'Evidence')}`)
  for (const [i, { role, context_id, text, memory_id }] of evidence.entries()) {
    const date = memories[i]?.occurred_at.slice(0, 10) ?? 'erased since'
    const number = `${i + 1}.`.padEnd(4)
    print(`${number}${role}, ${date}, ${harmless(context_id)}  ${paint(terminal, 'dim', memory_id)}`)
    print(hang(' '.repeat(4), harmless(text), terminal.columns))
  }
}
