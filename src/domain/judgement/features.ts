import { isDenied, isFormer } from './agreement.js'
import { isException, otherDays, otherWordInFrame } from './frame.js'
import { isOfAnother, isOutOfDate } from './out-of-date.js'
import { bestOverlap, type Overlap } from './overlap.js'
import { compareFields } from './reading/fields.js'
import { isPlain, type Reading } from './reading/reading.js'
import { sameRole, subjectsDiffer } from './subject.js'

/** What the judgement weighs. */
export const FEATURES = ['held', 'heldByBoth', 'values', 'slot', 'fields'] as const
export type Feature = (typeof FEATURES)[number]
export type Features = Readonly<Record<Feature, number>>

/** The same number says little of texts that do not share most of their words. */
const MOST = 0.75

export interface Comparison {
  /** The texts speak of different things, however much they have in common. */
  readonly differ: boolean
  /**
   * They are the same field of the same record, say who fills the same role, or one announces that the other has changed,
   * denies it, or names it as what was.
   */
  readonly sure: boolean
  /** With the same value. */
  readonly answered: boolean
  /** One says that what the other says has changed, or that somebody else fills the role. */
  readonly changed: boolean
  readonly features: Features
  readonly overlap: Overlap | undefined
}

/** The same in both directions. */
export function compareReadings(a: Reading, b: Reading): Comparison {
  const overlap = bestOverlap(a, b)
  const fields = compareFields(a.fields, b.fields)
  const isOfOneRole = overlap !== undefined && sameRole(a, b)
  const announced = overlap !== undefined && (announces(a, b) || announces(b, a))
  // Most texts have nothing in common, and need no closer look.
  const isOpen = fields === 'open' && overlap !== undefined && !isOfOneRole && !announced
  return {
    differ: fields === 'other' || (isOpen && textsDiffer(a, b, overlap)),
    sure:
      fields === 'changed' ||
      fields === 'answered' ||
      isOfOneRole ||
      announced ||
      (overlap !== undefined && (isDenied(overlap) || (isFormer(overlap) && !saysFrom(a, b)))),
    answered: fields === 'answered',
    changed: announced || (isOfOneRole && a.role?.holder !== b.role?.holder),
    features: {
      held: overlap?.held ?? 0,
      heldByBoth: overlap?.heldByBoth ?? 0,
      values: overlap !== undefined && overlap.held >= MOST ? overlap.values : 0,
      slot: overlap?.slot ?? 0,
      fields: fields === 'same' || fields === 'changed' ? 1 : 0,
    },
    overlap,
  }
}

function textsDiffer(a: Reading, b: Reading, overlap: Overlap): boolean {
  const begin = overlap.parts.every(({ first }) => first)
  return (
    (begin && subjectsDiffer(a, b)) ||
    otherWordInFrame(a.whole, b.whole) ||
    otherDays(a.whole, b.whole) ||
    isException(...overlap.parts) ||
    isException(overlap.parts[1], overlap.parts[0]) ||
    announcesAnother(a, b) ||
    announcesAnother(b, a)
  )
}

/** Does one announce that what the other begins with has changed? */
function announces({ announced }: Reading, other: Reading): boolean {
  const [first] = other.parts
  return announced !== undefined && first !== undefined && isPlain(other) && isOutOfDate(first, announced)
}

function announcesAnother({ announced }: Reading, { whole }: Reading): boolean {
  return announced !== undefined && isOfAnother(announced, whole.telling)
}

/** Does one say what changed from what? That alone then tells whether the other was so until now. */
function saysFrom(...readings: readonly Reading[]): boolean {
  return readings.some(({ announced }) => announced !== undefined && announced.from.length > 0)
}
