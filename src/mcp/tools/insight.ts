import type { components } from '../../client/index.js'
import { shortened } from '../../domain/brief/shorten.js'
import { NOTHING } from '../../domain/insight/say.js'
import { counted } from '../../domain/insight/sentences.js'
import { type Asking, dataOf, orEmpty, type Told } from './asking.js'
import { quoted } from './memory-line.js'

type Schemas = components['schemas']
type InsightArguments = Pick<Schemas['InsightRequest'], 'task' | 'explain' | 'as_of' | 'valid_at'>

/** How much of a memory is told as evidence; `recall` and `browse` have the rest. */
const EVIDENCE_CHARS = 400

/** Every fact of the answer that REST gives, as Markdown. No line of a memory begins as one of ours does. */
export async function insight({ client, graph }: Asking, question: InsightArguments): Promise<Told> {
  const body = { ...question, graph_id: await graph() }
  const answer = await orEmpty(dataOf(client.POST('/v1/memories/insights', { body })), NONE)
  const { score, reasons = [], unread = 0 } = answer
  const evidence = answer.evidence?.map((it) => ({ ...it, text: shortened(it.text, EVIDENCE_CHARS) })) ?? []
  const lines = [
    `**Insight:** ${marked(answer.insight)}`,
    `**Recommendation:** ${marked(answer.recommendation)}`,
    `**Confidence:** ${answer.confidence}${score === undefined ? '' : ` (score ${score.toFixed(2)})`}`,
  ]
  if (reasons.length > 0) lines.push('', '**Reasons**', ...reasons.map((reason) => `- ${reason}`))
  if (evidence.length > 0) lines.push('', headOf(answer), ...evidence.map(evidenceLine))
  if (unread > 0)
    lines.push('', `${counted(unread, 'memory was', 'memories were')} not read for meaning yet.`)
  return {
    text: `${lines.join('\n')}\n`,
    data: { ...answer, ...(evidence.length > 0 && { evidence }) },
  }
}

const NONE: Schemas['Insight'] = {
  insight: NOTHING,
  recommendation: 'Nothing is recorded in this graph yet. Once you find out, record it.',
  confidence: 'low',
}

/** The first line stands behind its label, the others behind a mark. */
function marked(text: string): string {
  return text.split('\n').map(quoted).join('\n> ')
}

/** What is only near an answer is not called evidence of it. */
function headOf({ insight: text }: Schemas['Insight']): string {
  return text.startsWith(NOTHING)
    ? '**Found, but no answer**, the nearest first'
    : '**Evidence**, the strongest first'
}

function evidenceLine(item: Schemas['Evidence']): string {
  const { role, text, context_id, memory_id, relevance, found_by, confidence } = item
  const facts = `relevance ${relevance.toFixed(2)}, trust ${confidence.toFixed(2)}, found by ${found_by.join(', ')}`
  return `- ${role}: ${quoted(text)}\n  ${context_id} · ${memory_id} · ${facts}`
}
