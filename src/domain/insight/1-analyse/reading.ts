import { Memo } from '../../memo.js'
import type { ContextId } from '../../model.js'
import { splitContextId } from '../../names.js'
import { distinct, readingOf, stemsOf, type Word } from '../../search/text-analysis.js'

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

/** In stems, each reading counted as a few more for what it takes itself. The memories that answer one question often answer the next, and reading them is the dearest part of it. */
const MOST_REMEMBERED = 600_000
const OVERHEAD = 10
const known = new Memo<string, Remembered>(MOST_REMEMBERED, ({ length }) => length + OVERHEAD)

export function forgetReadings(): void {
  known.clear()
}

export function read(contextId: ContextId, text: string): Reading {
  const before = known.get(text)
  if (before?.contextId === contextId) return before
  const reading = { contextId, ...readAnew(contextId, text.slice(0, MOST_READ)) }
  if (text.length <= MOST_READ) known.set(text, reading)
  return reading
}

function readAnew(contextId: ContextId, text: string): Reading {
  const { type, name } = splitContextId(contextId)
  const said = readingOf(text)
  const named = readingOf(name)
  const counts = new Map<string, number>()
  let length = 0
  for (const stems of [said.stems, named.stems, stemsOf(type)])
    for (const stem of stems) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
      length++
    }
  const words = distinct([...said.words, ...named.words])
  const others = words.filter(({ stem }) => !counts.has(stem)).map(({ stem }) => stem)
  return { stems: said.stems, counts, length, words, telling: [...counts.keys(), ...new Set(others)] }
}
