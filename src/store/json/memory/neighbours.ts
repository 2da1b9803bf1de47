import { BESIDE, NEARBY, RELATIONS } from '../../store.js'
import { type ContextRow, countUpTo, type MemoryRow } from './rows.js'

/**
 * The memories close to the given ones (`Store.neighbours` says which), themselves left out, in order of recording.
 * `opposing` gives those that supersede a memory or are in open contradiction with it.
 */
export function neighboursOf(
  given: readonly MemoryRow[],
  opposing: (row: MemoryRow) => readonly MemoryRow[],
): MemoryRow[] {
  const close = new Set<MemoryRow>()
  for (const row of given)
    for (const other of [
      ...besides(row),
      ...latest(opposing(row)),
      ...row.reinforcedBy,
      ...linkedTo(row.context),
    ])
      close.add(other)
  for (const row of given) close.delete(row)
  return [...close].sort(byNumber)
}

function byNumber(a: MemoryRow, b: MemoryRow): number {
  return a.number - b.number
}

function latest(rows: readonly MemoryRow[]): MemoryRow[] {
  return [...rows].sort(byNumber).slice(-NEARBY)
}

function besides({ context: { memories }, number }: MemoryRow): MemoryRow[] {
  const place = countUpTo(memories, number - 1, (row) => row.number)
  return [...memories.slice(Math.max(0, place - BESIDE), place + BESIDE + 1), ...memories.slice(-BESIDE)]
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
