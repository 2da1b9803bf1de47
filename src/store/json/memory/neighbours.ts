import { BESIDE, NEARBY, RELATIONS } from '../../store.js'
import { type ContextRow, countUpTo, type MemoryRow, type StatedLink } from './rows.js'

const by = (statement: StatedLink) => statement.by

/** The memories close to the given ones (`Store.neighbours` says which), themselves left out, in order of recording. */
export function neighboursOf(given: readonly MemoryRow[]): MemoryRow[] {
  const close = new Set<MemoryRow>()
  for (const row of given)
    for (const other of [...besides(row), ...speakersOn(row), ...linkedTo(row.context)]) close.add(other)
  for (const row of given) close.delete(row)
  return [...close].sort((a, b) => a.number - b.number)
}

function besides({ context: { memories }, number }: MemoryRow): MemoryRow[] {
  const place = countUpTo(memories, number - 1, (row) => row.number)
  return [...memories.slice(Math.max(0, place - BESIDE), place + BESIDE + 1), ...memories.slice(-BESIDE)]
}

function speakersOn(row: MemoryRow): MemoryRow[] {
  return [
    ...row.contradictions.slice(-NEARBY).map(by),
    ...row.agreements.slice(-NEARBY).map(by),
    ...row.context.agreements.slice(-NEARBY).map(by),
  ]
}

function linkedTo({ incoming, outgoing }: ContextRow): MemoryRow[] {
  return [
    ...last(incoming).flatMap(({ latest }) => latest),
    ...last(outgoing).flatMap(({ other }) => other.memories.slice(-NEARBY)),
  ]
}

/** The last few of many, without making a list of them all. */
function last<T>(items: ReadonlyMap<string, T>): T[] {
  const kept: T[] = []
  let before = items.size - RELATIONS
  for (const item of items.values()) if (before-- <= 0) kept.push(item)
  return kept
}
