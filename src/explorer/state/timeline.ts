import type { Memory, MemoryHistory, MemoryStatement } from './types.js'

/**
 * The memories of a context as lanes on a line of time. The line is the order of recording, each statement one step: what
 * is believed depends on that order, and years and seconds between statements show equally well.
 */
export interface Timeline {
  /** Those in which something happened last come first. */
  readonly threads: readonly Thread[]
  /** When each step of the line was recorded, and when what it says happened. */
  readonly moments: readonly Moment[]
}

interface Moment {
  readonly place: number
  readonly at: string
}

/** Claims that replaced or contradict each other. */
export interface Thread {
  readonly key: string
  /** In order of recording; claims in open contradiction share a row, side by side. */
  readonly rows: readonly (readonly Lane[])[]
  readonly joints: readonly Joint[]
}

export interface Lane {
  readonly memory: Memory
  readonly statements: readonly MemoryStatement[]
  /** Steps of the line; no end while it stands. */
  readonly from: number
  readonly to?: number
  readonly stated: readonly number[]
  readonly isDisputed: boolean
}

/** That a lane of one row replaced a lane of another, and at which step. */
interface Joint {
  readonly replaced: string
  readonly by: string
  readonly at: number
}

export function timelineOf(
  memories: readonly Memory[],
  histories: ReadonlyMap<string, MemoryHistory>,
): Timeline {
  const moments = momentsOf(memories, histories)
  const steps = new Map(moments.map(({ place }, step) => [place, step]))
  const stepOf = (place: number) => steps.get(place) ?? moments.length - 1
  const lanes = new Map(memories.map((memory) => [memory.memory_id, laneOf(memory, histories, stepOf)]))
  const threads = groupsOf(memories).map((group): Thread => {
    const members = group.flatMap((id) => lanes.get(id) ?? []).sort((a, b) => a.memory.place - b.memory.place)
    return {
      key: group[0] ?? '',
      rows: rowsOf(members),
      joints: members.flatMap(({ memory, to }) =>
        to === undefined
          ? []
          : memory.superseded_by
              .filter((id) => lanes.has(id))
              .map((by) => ({ replaced: memory.memory_id, by, at: to })),
      ),
    }
  })
  return { moments, threads: threads.sort((a, b) => lastOf(b) - lastOf(a)) }
}

function momentsOf(memories: readonly Memory[], histories: ReadonlyMap<string, MemoryHistory>): Moment[] {
  const dates = new Map<number, string>()
  for (const { memory_id, place, recorded_at, occurred_at } of memories) {
    const history = histories.get(memory_id)
    for (const one of [...(history?.superseded_by ?? []), ...(history?.supersedes ?? [])])
      if (!dates.has(one.place)) dates.set(one.place, one.recorded_at)
    for (const one of history?.statements ?? []) dates.set(one.place, one.occurred_at)
    dates.set(place, occurred_at ?? recorded_at)
  }
  return [...dates].sort(([a], [b]) => a - b).map(([place, at]) => ({ place, at }))
}

function laneOf(
  memory: Memory,
  histories: ReadonlyMap<string, MemoryHistory>,
  stepOf: (place: number) => number,
): Lane {
  const history = histories.get(memory.memory_id)
  const statements = history?.statements ?? []
  const end = history?.superseded_by[0]
  const isReplaced = memory.status === 'superseded'
  return {
    memory,
    statements,
    from: stepOf(memory.place),
    ...(isReplaced && { to: end === undefined ? stepOf(memory.place) + 1 : stepOf(end.place) }),
    stated: [...new Set([memory.place, ...statements.map(({ place }) => place)])].map(stepOf),
    isDisputed: memory.disputed_by.length > 0,
  }
}

/** The ids of memories that hang together by replacing or contradicting each other. */
function groupsOf(memories: readonly Memory[]): string[][] {
  const heads = new Map(memories.map(({ memory_id }) => [memory_id, memory_id]))
  const headOf = (id: string): string => {
    let head = id
    while (heads.get(head) !== head) head = heads.get(head) ?? head
    return head
  }
  for (const { memory_id, superseded_by, supersedes, disputed_by } of memories)
    for (const other of [...superseded_by, ...supersedes, ...disputed_by])
      if (heads.has(other)) heads.set(headOf(memory_id), headOf(other))
  const groups = new Map<string, string[]>()
  for (const { memory_id } of memories) {
    const head = headOf(memory_id)
    groups.set(head, [...(groups.get(head) ?? []), memory_id])
  }
  return [...groups.values()]
}

function rowsOf(lanes: readonly Lane[]): Lane[][] {
  const rows: Lane[][] = []
  const placed = new Set<Lane>()
  for (const lane of lanes) {
    if (placed.has(lane)) continue
    const against = lanes.filter(
      (other) =>
        !placed.has(other) && other !== lane && lane.memory.disputed_by.includes(other.memory.memory_id),
    )
    const row = [lane, ...against]
    for (const one of row) placed.add(one)
    rows.push(row)
  }
  return rows
}

function lastOf({ rows }: Thread): number {
  return Math.max(...rows.flat().map(({ stated, to }) => Math.max(to ?? 0, ...stated)))
}
