import { inAgreement } from '../../../src/domain/judgement/agreement.js'
import { isSureBy, MAY_SPEAK_OF_THE_SAME, saysTheSame } from '../../../src/domain/judgement/judgement.js'
import type { Weights } from '../../../src/domain/judgement/weights.js'
import type { Case, Pair } from './data.js'

export interface Figures {
  readonly precision: number
  readonly recall: number
  /** The share of the labelled memories that the event bears on or that are offered as similar. */
  readonly offered: number
  /** The share of the cases without a label in which the event bears on nothing. */
  readonly quiet: number
}

const MAX_OFFERED = 5

/** What the link of each case bears on, beside its label. */
export function measure(cases: readonly Case[], weights: Weights): Figures {
  let told = 0
  let right = 0
  let wanted = 0
  let offered = 0
  let none = 0
  let quiet = 0
  for (const { link, pairs } of cases) {
    const bears = pairs.filter((pair) => bearsOn(link, pair, weights))
    const rest = pairs.filter((pair) => !bears.includes(pair) && pair.likeness >= MAY_SPEAK_OF_THE_SAME)
    const similar = rest.sort((x, y) => y.likeness - x.likeness).slice(0, MAX_OFFERED)
    const labelled = count(pairs)
    told += bears.length
    right += count(bears)
    wanted += labelled
    offered += count(bears) + count(similar)
    if (labelled > 0) continue
    none++
    if (bears.length === 0) quiet++
  }
  return { precision: right / told, recall: right / wanted, offered: offered / wanted, quiet: quiet / none }
}

function bearsOn(link: Case['link'], { event, memory, comparison }: Pair, weights: Weights): boolean {
  if (saysTheSame(event, memory)) return true
  if (!isSureBy(comparison, weights)) return false
  if (link !== 'reinforces') return true
  return comparison.overlap !== undefined && inAgreement(event, memory, comparison.overlap)
}

function count(pairs: readonly Pair[]): number {
  return pairs.filter(({ wanted }) => wanted).length
}
