import { BESIDE, NEARBY, RELATIONS } from './reader.js'
import { latestStating } from './relations.js'
import type { ContextRow, MemoryRow, RelationRow } from './rows.js'
import { countAt, existsAt, listAt, type Moment, NOW } from './rows.js'

/**
 * The memories close to the given ones (defined at `Store.neighbours`), without the given ones, in order of recording.
 * `opposing` returns the memories that supersede a memory or are in open contradiction with it.
 */
export function neighboursOf(
  given: readonly MemoryRow[],
  opposing: (row: MemoryRow) => readonly MemoryRow[],
  moment: Moment,
): MemoryRow[] {
  const close = new Set<MemoryRow>()
  for (const row of given)
    for (const other of [
      ...besideInContext(row, moment),
      ...latest(opposing(row)),
      ...reinforcersOf(row, moment),
      ...linkedTo(row.context, moment),
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

/** The latest memories that reinforce this one. Searches from the end of the list, since it may be long. */
function reinforcersOf({ reinforcedBy }: MemoryRow, moment: Moment): MemoryRow[] {
  let found: MemoryRow[] = []
  for (let i = countAt(reinforcedBy, moment) - 1; i >= 0; i--) {
    const by = reinforcedBy[i]?.by
    if (by === undefined || found.includes(by)) continue
    if (found.length < NEARBY || by.number > (found[0]?.number ?? 0)) found = latest([...found, by])
  }
  return found
}

function besideInContext({ context, place }: MemoryRow, moment: Moment): MemoryRow[] {
  const memories = listAt(context.memories, moment)
  const at = countAt(memories, { ...moment, place: place - 1 })
  return [...memories.slice(Math.max(0, at - BESIDE), at + BESIDE + 1), ...memories.slice(-BESIDE)]
}

function linkedTo({ incoming, outgoing }: ContextRow, moment: Moment): MemoryRow[] {
  return [
    ...latestRelations(incoming, moment).flatMap((relation) => latestStating(relation, moment)),
    ...latestRelations(outgoing, moment).flatMap(({ to }) => {
      const end = countAt(to.memories, moment)
      return to.memories.slice(Math.max(0, end - NEARBY), end)
    }),
  ]
}

/** The latest relations, which are in the order in which they were first stated. Avoids copying all of them. */
function latestRelations(relations: ReadonlyMap<string, RelationRow>, moment: Moment): RelationRow[] {
  const latest: RelationRow[] = []
  let before = moment.place === NOW ? relations.size - RELATIONS : 0
  for (const relation of relations.values()) {
    if (before-- > 0) continue
    const first = relation.statements[0]
    if (first === undefined || !existsAt(first, moment)) break
    latest.push(relation)
    if (latest.length > RELATIONS) latest.shift()
  }
  return latest
}
