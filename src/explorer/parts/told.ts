import type { Evidence, Insight } from '../state/types.js'

/** As the contract says of `relevance`. */
export const TOLD_FROM = 0.43
/** The first line of an insight where nothing recorded answers, as the contract has it. */
export const NOTHING = 'Nothing recorded answers this.'

/** Such an insight rests on nothing: whatever was found is only near. */
export function isNothing({ insight }: Pick<Insight, 'insight'>): boolean {
  return insight.startsWith(NOTHING)
}

/** What an insight rests on, and what was only found beside it: fits little, and speaks neither against it nor of the past. */
export function parted(evidence: readonly Evidence[]): {
  readonly told: readonly Evidence[]
  readonly beside: readonly Evidence[]
} {
  const isBeside = (one: Evidence) =>
    one !== evidence[0] && one.relevance < TOLD_FROM && ['supports', 'extends'].includes(one.role)
  return { told: evidence.filter((one) => !isBeside(one)), beside: evidence.filter(isBeside) }
}
