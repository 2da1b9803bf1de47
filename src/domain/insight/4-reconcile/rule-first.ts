import { exceptsFrom, isOfSomeDays, readPayload } from '../../judgement/judgement.js'
import type { Query } from '../1-analyse/query.js'
import { LONGEST_COMPARED } from './differences.js'
import type { Evidence } from './reconcile.js'

/**
 * The evidence with a rule before its exception: that the shop opens at 7 on Saturdays may fit a question best, and yet
 * does not say when it opens, unless a day is asked for.
 */
export function withRuleFirst(evidence: readonly Evidence[], { namesDays }: Query): readonly Evidence[] {
  const lead = evidence.find(({ stands }) => stands)
  if (lead === undefined || namesDays || !isShort(lead) || !isOfSomeDays(lead.memory.text)) return evidence
  const reading = readPayload(lead.memory.payload)
  const rule = evidence.find((item) => {
    if (item === lead || !item.stands || item.memory.contextId !== lead.memory.contextId) return false
    if (!isShort(item) || isOfSomeDays(item.memory.text)) return false
    return exceptsFrom(reading, readPayload(item.memory.payload))
  })
  if (rule === undefined) return evidence
  return evidence.flatMap((item) => {
    if (item === lead) return [{ ...rule, relevance: Math.max(rule.relevance, lead.relevance) }, lead]
    return item === rule ? [] : [item]
  })
}

function isShort({ memory }: Evidence): boolean {
  return memory.text.length <= LONGEST_COMPARED
}
