import type { Memory } from '../../model.js'
import type { Found } from '../3-rank/find.js'
import type { Doubt } from '../4-reconcile/doubts.js'
import type { Evidence } from '../4-reconcile/reconcile.js'
import { counted } from '../5-say/sentences.js'
import { wasValidUntil } from '../5-say/statement.js'

const DAY = 86_400_000

/** Why an answer can be relied on as far as it can, in words. */
export function reasonsFor(
  found: Found,
  evidence: readonly Evidence[],
  lead: Evidence,
  doubts: readonly Doubt[],
): string[] {
  const { memory } = lead
  const { trust, source, occurredAt } = memory
  const of = (role: Evidence['role']) => evidence.filter((item) => item.role === role).length
  const replaced = evidence.filter(({ memory }) => memory.trust.status === 'superseded').length
  const days = Math.floor((Date.parse(found.pool.retrieved.newestAt) - Date.parse(occurredAt)) / DAY)
  const doubted = (doubt: Doubt, reason: string) => (doubts.includes(doubt) ? [reason] : [])
  return [
    ...fitOf(found, memory),
    `It comes from a source of kind ${source}; its confidence is ${trust.confidence.toFixed(2)}.`,
    ...(trust.agreement > 0
      ? [`${counted(trust.agreement, 'later record agrees', 'later records agree')} with it.`]
      : []),
    ...(of('extends') > 0
      ? [`${counted(of('extends'), 'memory builds', 'memories build')} on what it says.`]
      : []),
    ...(replaced > 0
      ? [`${counted(replaced, 'memory was', 'memories were')} replaced and not relied on.`]
      : []),
    ...doubted(
      'unconfirmed',
      'What was replaced was replaced by a single observation that nothing has confirmed.',
    ),
    ...(of('contradicts') > 0
      ? [
          `${counted(of('contradicts'), 'memory disagrees', 'memories disagree')}, and nothing has settled which is right.`,
        ]
      : []),
    ...doubted(
      'differing',
      'Another record of this context says the same but for one thing, and neither says that it replaces the other.',
    ),
    ...doubted('basis', 'The strongest memory builds on something that is disputed.'),
    ...(trust.status === 'expired' ? [`It ${wasValidUntil(memory)}, and later events are recorded.`] : []),
    ...(trust.status === 'stale' ? ['It builds on something that has been replaced since.'] : []),
    ...(days >= 60 ? [`It is ${Math.round(days / 30)} months older than the graph's newest memory.`] : []),
  ]
}

/** How the strongest memory fits the task, by words and by meaning. */
function fitOf({ pool }: Found, memory: Memory): string[] {
  const entry = pool.entries.find((one) => one.memory === memory)
  const first = entry && pool.firsts.get(entry)
  if (first === undefined) return []
  return [
    `The strongest memory holds ${Math.round(100 * first.coverage)} % of the task's words, by weight.`,
    ...(pool.inOtherWords > 0.5
      ? ['The task is in other words than the memories: it was found by meaning.']
      : []),
  ]
}
