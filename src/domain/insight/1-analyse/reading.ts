import type { ContextId } from '../../model.js'
import { splitContextId } from '../../names.js'
import { distinct, readingOf, stemsOf, type Word } from '../../search/text-analysis.js'
import type { MemoKind, TextCache } from '../../text-cache.js'

/** A memory's text and its context, taken apart. */
export interface Reading {
  /** The stems of its text, in reading order. */
  readonly stems: readonly string[]
  /** How often each stem occurs in its text, its context's name and type. */
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
  /** The distinct words of its text and its context's name, each with its stem. */
  readonly words: readonly Word[]
  /** The distinct stems of all of these. */
  readonly telling: readonly string[]
}

/** Longer texts are judged by their beginning, so that a few huge memories cannot slow every question down. */
const MOST_READ = 4_000

interface Remembered extends Reading {
  readonly contextId: ContextId
}

/** The size of a reading in stems, beside those that it holds. */
const OVERHEAD = 10
/** In stems. The memories that answer one question often answer the next, and reading them is the dearest part of it. */
const READINGS: MemoKind<Remembered> = { most: 600_000, sizeOf: ({ length }) => length + OVERHEAD }

export function read(contextId: ContextId, text: string, texts: TextCache): Reading {
  const known = texts.memo(READINGS)
  const before = known.get(text)
  if (before?.contextId === contextId) return before
  const reading = { contextId, ...takeApart(contextId, text.slice(0, MOST_READ), texts) }
  if (text.length <= MOST_READ) known.set(text, reading)
  return reading
}

function takeApart(contextId: ContextId, text: string, texts: TextCache): Reading {
  const { type, name } = splitContextId(contextId)
  const said = readingOf(text, texts)
  const named = readingOf(name, texts)
  const counts = new Map<string, number>()
  let length = 0
  for (const stems of [said.stems, named.stems, stemsOf(type, texts)])
    for (const stem of stems) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
      length++
    }
  const words = distinct([...said.words, ...named.words])
  const others = words.filter(({ stem }) => !counts.has(stem)).map(({ stem }) => stem)
  return { stems: said.stems, counts, length, words, telling: [...counts.keys(), ...new Set(others)] }
}
