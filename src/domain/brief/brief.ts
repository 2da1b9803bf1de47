import { beginning } from '../insight/statement.js'
import type { Memory } from '../model.js'
import type { Page } from '../page.js'
import type { Highlights } from '../survey/highlights.js'
import type { Dispute, StaleMemory, StalePage } from '../survey/lists.js'
import { rankOf } from '../trust/claims/rank.js'
import { shortened, shortName } from './shorten.js'

/** What a brief is made from. */
export interface Known extends Highlights {
  /** What is relevant to the task, the best first; undefined without a task. */
  readonly relevant: readonly Memory[] | undefined
  readonly disputes: Page<Dispute>
  readonly stale: StalePage
}

/** How many of each sort a brief is made from: more would hardly fit. */
export const MAX_TOLD = 40

interface Section {
  readonly heading?: string
  readonly items: readonly string[]
  /** What to say in its place when none of its items has room, if anything. */
  readonly otherwise?: string
  /** The part of the room that it may take before the others have had theirs. */
  readonly share: number
}

const NOTHING_RELEVANT = 'Nothing is recorded that bears on this task.'
const NOTHING_STANDS = 'Nothing is recorded that stands undisputed.'
const NOTHING_OPEN = 'Nothing is recorded that is disputed or stale.'

/**
 * What to know before starting work, in at most `most` characters. Within each section the most trusted sources come first:
 * what a validator or a user said is not crowded out by however much an agent records.
 */
export function writeBrief(known: Known, most: number): string {
  return fitted(sectionsOf(known, most), most)
}

function sectionsOf({ relevant, disputes, stale, ...highlights }: Known, most: number): Section[] {
  const longest = Math.min(400, Math.max(140, Math.floor(most / 4)))
  const useful = strongerInTurn((relevant ?? []).filter(({ trust }) => trust.status !== 'superseded'))
  const seen = new Set(useful.map(({ memoryId }) => memoryId))
  const standing = byRank(standingOf(highlights).filter(isSettled), rankOfMemory)
  const others = standing.filter(({ memoryId }) => !seen.has(memoryId))
  const isSeen = ({ memoryId }: Memory) => seen.has(memoryId)
  const pairs = firstIf(
    byRank(disputes.items, ({ earlier, later }) => Math.max(rankOfMemory(earlier), rankOfMemory(later))),
    ({ earlier, later }) => isSeen(earlier) || isSeen(later),
  )
  const many = `${stale.total}${stale.isCut ? ' or more' : ''}`
  const unseen = byRank(
    stale.items.filter(({ memory }) => !isSeen(memory)),
    ({ memory }) => rankOfMemory(memory),
  )
  const lines = (memories: readonly Memory[]) => memories.map((memory) => lineOf(memory, longest))
  return [
    ...(relevant === undefined
      ? []
      : [
          {
            heading: 'For this task',
            items: lines(useful),
            ...(useful.length === 0 && { otherwise: NOTHING_RELEVANT }),
            share: 0.5,
          },
        ]),
    {
      heading: 'What stands',
      items: lines(others),
      ...(standing.length === 0 && useful.length === 0 && { otherwise: NOTHING_STANDS }),
      share: relevant === undefined ? 0.6 : 0.25,
    },
    {
      heading: `Disputed (${disputes.total})`,
      items: pairs.map((pair) => disputeLines(pair, longest)),
      ...(disputes.total > 0 && { otherwise: `Disputed: ${disputes.total}, not told here.` }),
      share: 0.25,
    },
    {
      heading: `Stale (${many})`,
      items: unseen.map((one) => staleLine(one, longest)),
      ...(unseen.length > 0 && { otherwise: `Stale: ${many}, not told here.` }),
      share: 0.15,
    },
    { items: disputes.total + stale.total > 0 ? [] : [NOTHING_OPEN], share: 1 },
  ]
}

function rankOfMemory({ source }: Memory): number {
  return rankOf(source)
}

/**
 * What people and checks say and what agents say in turn, each in its order: by rank alone, what hardly fits the task would
 * come before what fits it best.
 */
function strongerInTurn(memories: readonly Memory[]): Memory[] {
  const isStrong = (memory: Memory) => rankOfMemory(memory) > rankOf('agent')
  return inTurn(
    memories.filter(isStrong),
    memories.filter((memory) => !isStrong(memory)),
  )
}

function inTurn<T>(some: readonly T[], others: readonly T[]): T[] {
  const pairs = Array.from({ length: Math.max(some.length, others.length) }, (_, i) => [some[i], others[i]])
  return pairs.flat().filter((one) => one !== undefined)
}

/** The highest rank first; otherwise the order stays. */
function byRank<T>(items: readonly T[], rank: (item: T) => number): T[] {
  return items.toSorted((a, b) => rank(b) - rank(a))
}

/** Those that pass come first; otherwise the order stays. */
function firstIf<T>(items: readonly T[], isFirst: (item: T) => boolean): T[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))]
}

/** A decision and a confirmed claim in turn, then the rest; each memory once. */
function standingOf({ decisions, confirmed, latest }: Highlights): Memory[] {
  const all = [...inTurn(decisions, confirmed), ...latest]
  return [...new Map(all.map((memory) => [memory.memoryId, memory])).values()]
}

function isSettled({ trust }: Memory): boolean {
  return trust.status === 'current' && trust.disputedBy.length === 0
}

/** Each section gets its share of the room first; what is left goes to them in order. */
function fitted(sections: readonly Section[], most: number): string {
  const taken = sections.map(() => new Set<number>())
  for (const part of [true, false])
    for (const [i, section] of sections.entries())
      for (const n of section.items.keys()) {
        const mine = taken[i] ?? new Set()
        if (mine.has(n)) continue
        mine.add(n)
        const isOver = part && written(section, mine).length > section.share * most
        if (isOver && mine.size > 1) {
          mine.delete(n)
          break
        }
        if (joined(sections, taken).length > most) mine.delete(n)
      }
  return joined(sections, taken)
}

function joined(sections: readonly Section[], taken: readonly ReadonlySet<number>[]): string {
  return sections
    .map((section, i) => written(section, taken[i] ?? new Set()))
    .filter((text) => text !== '')
    .join('\n')
}

/** No heading without something under it. */
function written({ heading, items, otherwise }: Section, taken: ReadonlySet<number>): string {
  const lines = items.filter((_, n) => taken.has(n))
  if (lines.length === 0) return otherwise === undefined ? '' : `${otherwise}\n`
  return `${heading === undefined ? '' : `## ${heading}\n`}${lines.join('\n')}\n`
}

const LEAST_TEXT = 40

/** A memory in its own words, where it is filed, and when and by whom it was recorded; in about `most` characters. */
export function lineOf(memory: Memory, most: number): string {
  const { status, disputedBy } = memory.trust
  const marks = [
    ...(status === 'stale' || status === 'expired' ? [status] : []),
    ...(disputedBy.length > 0 ? ['disputed'] : []),
  ]
  return `- ${phrased(memory, most, marks)}`
}

/** Both sides, a line each. */
function disputeLines({ earlier, later }: Dispute, most: number): string {
  return `- ${phrased(earlier, most)}\n  against it: ${phrased(later, most)}`
}

function staleLine({ memory, because }: StaleMemory, most: number): string {
  const [replaced] = because
  const where = replaced === undefined ? '' : ` in ${shortName(replaced.contextId)}`
  return `- ${phrased(memory, most)}; what it builds on${where} was replaced`
}

function phrased(memory: Memory, most: number, marks: readonly string[] = []): string {
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
