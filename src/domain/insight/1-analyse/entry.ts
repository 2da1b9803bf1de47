import { isMemoryId } from '../../ids.js'
import type { ContextId, Memory } from '../../model.js'
import { splitContextId } from '../../names.js'
import { queryTerms } from '../../search/text-analysis.js'
import type { MemoKind, TextCache } from '../../text-cache.js'
import { type Reading, read } from './reading.js'

/** A memory as the ranker sees it. */
export interface Entry extends Reading {
  readonly memory: Memory
  /** What it is about: its own context, then those it links to other than by contradiction. */
  readonly subjects: readonly Subject[]
}

export interface Subject {
  readonly id: ContextId
  /** The distinct stems of its name. */
  readonly name: readonly string[]
}

export function toEntry(memory: Memory, texts: TextCache): Entry {
  const { stems, counts, length, words, telling } = read(memory.contextId, memory.text, texts)
  const subjects = [toSubject(memory.contextId, texts)]
  for (const { kind, target } of memory.links)
    if (kind !== 'contradiction' && !isMemoryId(target)) subjects.push(toSubject(target, texts))
  return { memory, stems, counts, length, words, telling, subjects }
}

/** Gives every stem whose weight in the graph matters to an entry. */
export function eachStem({ telling, subjects }: Entry, visit: (stem: string) => void): void {
  for (const stem of telling) visit(stem)
  for (const { name } of subjects) for (const stem of name) visit(stem)
}

const SUBJECTS: MemoKind<Subject> = { most: 20_000 }

function toSubject(id: ContextId, texts: TextCache): Subject {
  const known = texts.memo(SUBJECTS)
  const before = known.get(id)
  if (before !== undefined) return before
  const subject = { id, name: queryTerms(splitContextId(id).name, texts) }
  known.set(id, subject)
  return subject
}

/** Keeps a share of nothing from being a division by zero. */
export const EPSILON = 1e-9

export function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
