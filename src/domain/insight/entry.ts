import { stemOf, stemsOf, wordsOf } from '../analysis.js'
import { isMemoryId } from '../ids.js'
import type { ContextId, Memory } from '../model.js'
import { splitContextId } from '../names.js'

/** A memory as the ranker sees it. */
export interface Entry {
  readonly memory: Memory
  /** The stems of its text, in reading order. */
  readonly stems: readonly string[]
  /** How often each stem occurs in its text, its context's name and type. */
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
  /** The distinct words of its text and its context's name, each with its stem. */
  readonly words: readonly { readonly word: string; readonly stem: string }[]
  /** What it is about: its own context, then those it links to other than by contradiction. */
  readonly subjects: readonly Subject[]
}

export interface Subject {
  readonly id: ContextId
  /** The distinct stems of its name. */
  readonly name: readonly string[]
}

/** Longer texts are judged by their beginning, so that a few huge memories cannot slow every question down. */
const MOST_READ = 4_000

export function toEntry(memory: Memory): Entry {
  const { type, name } = splitContextId(memory.contextId)
  const text = memory.text.slice(0, MOST_READ)
  const stems = stemsOf(text)
  const all = [...stems, ...stemsOf(name), ...stemsOf(type)]
  const counts = new Map<string, number>()
  for (const stem of all) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const words = [...new Set([...wordsOf(text), ...wordsOf(name)])]
  const linked = memory.links.filter(({ kind, target }) => kind !== 'contradiction' && !isMemoryId(target))
  return {
    memory,
    stems,
    counts,
    length: all.length,
    words: words.map((word) => ({ word, stem: stemOf(word) })),
    subjects: [memory.contextId, ...linked.map(({ target }) => target)].map(toSubject),
  }
}

/** Gives every stem whose weight in the graph matters to an entry. */
export function eachStem({ counts, words, subjects }: Entry, visit: (stem: string) => void): void {
  for (const stem of counts.keys()) visit(stem)
  for (const { stem } of words) visit(stem)
  for (const { name } of subjects) for (const stem of name) visit(stem)
}

function toSubject(id: ContextId): Subject {
  return { id, name: [...new Set(stemsOf(splitContextId(id).name))] }
}
