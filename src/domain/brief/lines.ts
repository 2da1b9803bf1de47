import { beginning } from '../insight/statement.js'
import type { Memory } from '../model.js'
import type { Dispute, StaleMemory } from '../survey/lists.js'
import { shortened, shortName } from './shorten.js'

const LEAST_TEXT = 40

/** A memory in its own words, where it is filed, and when and by whom it was recorded; in about `most` characters. */
export function lineOf(memory: Memory, most: number): string {
  const { status, disputedBy } = memory.trust
  const marks = [
    ...(status === 'stale' || status === 'expired' ? [status] : []),
    ...(disputedBy.length > 0 ? ['disputed'] : []),
  ]
  return `- ${told(memory, most, marks)}`
}

/** Both sides, a line each. */
export function disputeLines({ earlier, later }: Dispute, most: number): string {
  return `- ${told(earlier, most)}\n  against it: ${told(later, most)}`
}

export function staleLine({ memory, because }: StaleMemory, most: number): string {
  const [replaced] = because
  const where = replaced === undefined ? '' : ` in ${shortName(replaced.contextId)}`
  return `- ${told(memory, most)}; what it builds on${where} was replaced`
}

function told(memory: Memory, most: number, marks: readonly string[] = []): string {
  const facts = `(${[shortName(memory.contextId), ...wordOf(memory), ...marks].join(', ')})`
  const from = beginning(memory)
  return `${from}${shortened(memory.text, Math.max(LEAST_TEXT, most - from.length - facts.length - 1))} ${facts}`
}

/** Who said so, and when. The source of a memory that others have stated as well is the most trusted of them. */
function wordOf({ recordedAt, source, trust: { agreement } }: Memory): string[] {
  const recorded = `recorded ${recordedAt.slice(0, 10)}`
  if (agreement === 0) return [`${recorded} by ${source}`]
  const times = agreement === 1 ? 'once' : `${agreement} times`
  return [recorded, `confirmed ${times}`, `vouched for by ${source}`]
}
