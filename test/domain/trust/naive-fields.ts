import type { JsonObject, MemoryId, Source } from '../../../src/domain/model.js'
import { rankOf } from '../../../src/domain/trust/claims/rank.js'
import { claimOfField } from '../../../src/domain/trust/fields.js'

/** One field of one memory, of which the naive reading knows all there is. */
export interface Cell {
  readonly memory: MemoryId
  readonly field: string
  readonly value: unknown
  readonly place: number
  rank: number
  by: Cell[]
  open: Set<Cell>
}

const stands = ({ by }: Cell) => by.length === 0

/** The rules for pointers and repeats, by the fields alone. */
export class Naive {
  readonly cells: Cell[] = []
  #place = 0

  state(memory: MemoryId, payload: JsonObject, source: Source, against: readonly string[]): void {
    const [place, rank] = [++this.#place, rankOf(source)]
    const own = this.cells.filter((cell) => cell.memory === memory)
    if (own.length > 0) this.#oppose(this.#restate(own, rank), rank)
    for (const cell of own) cell.rank = Math.max(cell.rank, rank)
    if (own.length > 0) return
    const fresh = Object.entries(payload).map(
      ([field, value]): Cell => ({ memory, field, value, place, rank, by: [], open: new Set() }),
    )
    this.cells.push(...fresh)
    const pairs: [Cell, Cell][] = []
    for (const pointer of against) {
      const named = this.of(pointer)
      const by = fresh.find(({ field }) => field === named.field)
      if (by === undefined) throw new Error('Only fields that the event has are contradicted here.')
      const present = this.present(named)
      const meant = present.value === by.value ? named : present
      const settled = stands(meant) && rank >= meant.rank ? [...meant.open] : []
      const others = [...this.inPlace(meant), ...settled].filter((other) => other.value !== by.value)
      for (const other of [meant, ...others])
        if (!pairs.some((pair) => pair[0] === by && pair[1] === other)) pairs.push([by, other])
    }
    this.#oppose(pairs, rank)
  }

  /** What stands settles what it may; what does not comes back where nothing in its way is stronger. */
  #restate(own: readonly Cell[], rank: number): [Cell, Cell][] {
    return own.flatMap((cell) => {
      const others = stands(cell)
        ? [...cell.open].filter((other) => rank >= other.rank)
        : this.inPlace(cell).filter((other) => other.value !== cell.value)
      if (![...cell.by, ...others].every((other) => rank >= other.rank)) return []
      cell.by = []
      return others.map((other): [Cell, Cell] => [cell, other])
    })
  }

  #oppose(pairs: readonly [Cell, Cell][], rank: number): void {
    const before = new Set(this.cells.filter(stands))
    for (const [by, other] of pairs) {
      if (rank < other.rank) {
        if (!stands(by) || !stands(other)) continue
        by.open.add(other)
        other.open.add(by)
      } else {
        other.by = [...other.by.filter((one) => one !== by && before.has(one)), by]
        for (const one of other.open) one.open.delete(other)
        other.open.clear()
      }
    }
  }

  of(pointer: string): Cell {
    const found = this.cells.find(({ memory, field }) => claimOfField(memory, field) === pointer)
    if (found === undefined) throw new Error(`There is no ${pointer}.`)
    return found
  }

  /** Those that stand in the place of one that does not. */
  inPlace(cell: Cell): Cell[] {
    const found = new Set(cell.by)
    for (const one of found) for (const next of one.by) found.add(next)
    return [...found].filter(stands)
  }

  present(cell: Cell): Cell {
    if (stands(cell)) return cell
    return this.inPlace(cell).sort((a, b) => b.place - a.place)[0] ?? cell
  }
}
