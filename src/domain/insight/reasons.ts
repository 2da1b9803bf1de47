import { type Answer, isRefused } from './answer.js'
import type { Gathered } from './evidence.js'
import { accepts } from './order.js'
import { counted } from './sentences.js'
import { beginsOn, wasValidUntil } from './statement.js'

const MONTH = 30 * 86_400_000

/** Why an answer has its confidence, in words. */
export function reasonsFor(answer: Answer, { evidence, pool }: Gathered): readonly string[] {
  const { lead, doubts, kind, candidates } = answer
  if (lead === undefined) return ['Nothing that still stands is near the task.']
  const { memory, remarks, stands } = lead.item
  const { trust, source, occurredAt } = memory
  const accepted = candidates.filter(accepts).length
  const replaced = evidence.filter((item) => !item.stands).length
  const months = Math.round((Date.parse(pool.retrieved.newestAt) - Date.parse(occurredAt)) / MONTH)
  const says = (when: boolean, reason: string) => (when ? [reason] : [])
  return [
    ...(lead.logit === undefined
      ? ['The memories were found and ranked, but not read against the task.']
      : [
          `Of ${counted(candidates.length, 'memory', 'memories')} read against the task, ${accepted} ${accepted === 1 ? 'seems' : 'seem'} to answer it.`,
        ]),
    ...says(isRefused(lead), 'Read as it is shown, the first does not seem to answer it.'),
    ...says(kind === 'part', 'Two linked memories answer it only together.'),
    ...says(kind === 'open', 'What fits best is itself a question.'),
    ...says(
      pool.inOtherWords > 0.5,
      'The task is in other words than the memories: it was found by meaning.',
    ),
    `The first comes from a source of kind ${source}; its confidence is ${trust.confidence.toFixed(2)}.`,
    ...says(
      trust.agreement > 0,
      `${counted(trust.agreement, 'later record agrees', 'later records agree')} with it.`,
    ),
    ...says(replaced > 0, `${counted(replaced, 'memory was', 'memories were')} replaced and not relied on.`),
    ...says(
      doubts.includes('disputed'),
      'Another memory that answers disputes it, and nothing has settled which is right.',
    ),
    ...says(
      doubts.includes('contested'),
      'A later record contradicts something in its context, and may mean it.',
    ),
    ...says(
      remarks.length > 0 && !doubts.includes('contested'),
      'Later records contradict something in its context, but hardly this.',
    ),
    ...says(doubts.includes('outranked'), 'A stronger source speaks of the same.'),
    ...says(doubts.includes('basis'), 'It builds on something that is disputed.'),
    ...says(doubts.includes('partly'), 'A part of what it builds on has been replaced.'),
    ...says(
      doubts.includes('unconfirmed'),
      'What was known was replaced by a single observation that nothing has confirmed.',
    ),
    ...says(doubts.includes('unnamed'), 'No memory holds one of the words that are asked about.'),
    ...says(!stands, 'It was replaced, and what replaced it does not say what is asked.'),
    ...says(trust.status === 'planned', `It begins on ${beginsOn(memory)}.`),
    ...says(trust.status === 'expired', `It ${wasValidUntil(memory)}.`),
    ...says(trust.status === 'stale', 'It builds on something that has been replaced since.'),
    ...says(months >= 2, `It is ${months} months older than the graph's newest memory.`),
  ]
}
