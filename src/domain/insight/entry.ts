import type { ContextId, Memory } from '../model.js'
import { splitContextId } from '../names.js'
import { stemsOf } from '../search/text-analysis.js'
import type { MemoKind, TextCache } from '../text-cache.js'

/** A memory's text and its context, taken apart. */
interface Reading {
  /** How often each stem occurs in its text, its context's name and type. */
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/** A memory as the ranker sees it. */
export interface Entry extends Reading {
  readonly memory: Memory
}

/** In characters. Longer texts are judged by their beginning, so that a few huge memories do not slow every question down. */
const MAX_READ = 4_000

interface Remembered extends Reading {
  readonly contextId: ContextId
}

/** The size of a reading in stems, besides its own stems. */
const OVERHEAD = 10
/** Sizes are in stems. The next question often needs the same memories, and taking them apart is the dearest part of it. */
const READINGS: MemoKind<Remembered> = { most: 600_000, sizeOf: ({ length }) => length + OVERHEAD }

export function toEntry(memory: Memory, texts: TextCache): Entry {
  const { counts, length } = read(memory.contextId, memory.text, texts)
  return { memory, counts, length }
}

function read(contextId: ContextId, text: string, texts: TextCache): Reading {
  const known = texts.memo(READINGS)
  const before = known.get(text)
  if (before?.contextId === contextId) return before
  const reading = { contextId, ...takeApart(contextId, text.slice(0, MAX_READ), texts) }
  if (text.length <= MAX_READ) known.set(text, reading)
  return reading
}

function takeApart(contextId: ContextId, text: string, texts: TextCache): Reading {
  const { type, name } = splitContextId(contextId)
  const counts = new Map<string, number>()
  let length = 0
  for (const part of [text, name, type])
    for (const stem of stemsOf(part, texts)) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
      length++
    }
  return { counts, length }
}

/** Keeps shares of an empty whole from being divisions by zero. */
export const EPSILON = 1e-9

export function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** The item with the highest score, the first of several. */
export function maxBy<T>(items: readonly T[], score: (item: T) => number): T | undefined {
  let [best] = items
  let highest = Number.NEGATIVE_INFINITY
  for (const item of items) {
    const own = score(item)
    if (own > highest) [best, highest] = [item, own]
  }
  return best
}

const ENDS_ASKING = /\?["'”’)\]]{0,3}$/u
/** Matches each run of marks once, so that a text of nothing but dots takes no longer than another. */
const SENTENCE_END = /(?<![.!?])[.!?]+(?=["'”’)\]]{0,3}(?:\s|$))/gu

/** 0..1: the share of a text's sentences that are questions at its end, without an answer after them. */
export function leftOpen(text: string): number {
  const whole = text.trimEnd()
  if (!ENDS_ASKING.test(whole.slice(-4))) return 0
  const ends = whole.match(SENTENCE_END) ?? []
  const stated = ends.findLastIndex((end) => !end.includes('?'))
  return (ends.length - 1 - stated) / Math.max(1, ends.length)
}

/** Does a text ask, and state nothing? */
export function onlyAsks(text: string): boolean {
  return leftOpen(text) === 1
}
