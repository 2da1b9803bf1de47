import type { MemoryId, Source, Status, Trust } from '../model.js'

/** Reckoned in whole hundredths, so that sums and comparisons are exact. */
const PRIORS: Readonly<Record<Source, number>> = {
  validator: 90,
  executor: 80,
  user: 70,
  agent: 60,
  system: 50,
}
const AGREEMENT = 5
/** Beyond these, agreement is counted but moves nothing. */
export const MOST_AGREEMENTS = 4
const DISAGREEMENT = 10
const LEAST = 20
const MOST = 99

/** How alike two texts must be, by idf-weighted shared stems, for one to speak of what the other says. */
export const SAME_SUBJECT = 0.35

/** How many memories of a context, the latest ones, a contradiction of that context is held against. */
export const MOST_CONSIDERED = 1000

/** How far a source is trusted by itself, in hundredths. */
export function priorOf(source: Source): number {
  return PRIORS[source]
}

/** One thing said about a memory after it was recorded. */
export type Statement =
  | { readonly kind: 'agrees'; readonly seq: number }
  | {
      readonly kind: 'contradicts'
      readonly seq: number
      readonly by: MemoryId
      readonly source: Source
      /** A later memory contradicts the contradicting one, so that it settles nothing. */
      readonly contested: boolean
    }

export interface Assessment extends Omit<Trust, 'status'> {
  /** The place in the order of recording at which it was replaced; undefined while it is not. */
  readonly supersededAt: number | undefined
}

/** What the voices raised after a memory make of it. `voices` are in order of recording. */
export function assess(source: Source, voices: readonly Statement[]): Assessment {
  const supersededBy: MemoryId[] = []
  const disputedBy: MemoryId[] = []
  let supersededAt: number | undefined
  let agreement = 0
  let contradictions = 0
  for (const voice of voices) {
    if (voice.kind === 'agrees') {
      agreement++
      continue
    }
    if (!voice.contested && priorOf(voice.source) >= hundredths(source, agreement, contradictions)) {
      supersededBy.push(voice.by)
      supersededAt ??= voice.seq
    } else disputedBy.push(voice.by)
    contradictions++
  }
  return {
    confidence: hundredths(source, agreement, contradictions) / 100,
    supersededBy,
    disputedBy,
    agreement,
    supersededAt,
  }
}

/** Superseded outweighs stale: what was replaced is not made better by what it built on. */
export function statusOf(assessment: Assessment, buildsOnReplaced: boolean): Status {
  if (assessment.supersededAt !== undefined) return 'superseded'
  return buildsOnReplaced ? 'stale' : 'current'
}

/**
 * Which of the earlier memories of a context a contradiction of that context bears on: those that speak of the same
 * thing, and always the closest one (the latest of equals).
 */
export function bearsOn(likeness: readonly number[]): number[] {
  let closest = -1
  let best = Number.NEGATIVE_INFINITY
  const borne: number[] = []
  likeness.forEach((value, i) => {
    if (value >= best) {
      best = value
      closest = i
    }
    if (value >= SAME_SUBJECT) borne.push(i)
  })
  return borne.length > 0 || closest < 0 ? borne : [closest]
}

function hundredths(source: Source, agreement: number, contradictions: number): number {
  const raw =
    priorOf(source) + AGREEMENT * Math.min(agreement, MOST_AGREEMENTS) - DISAGREEMENT * contradictions
  return Math.min(MOST, Math.max(LEAST, raw))
}
