import { decisionsOf, statementOf } from '../../domain/events/recording.js'
import { countUpTo } from '../../domain/in-order.js'
import type { Bearing, Link, MemoryId } from '../../domain/model.js'
import { byCodeUnit } from '../../domain/names.js'
import type { Paging } from '../../domain/page.js'
import {
  MAX_SUPERSEDED,
  type MemoryHistory,
  type PastStatement,
  type PastSupersession,
  type Spell,
} from '../../domain/survey/history.js'
import { type Standing, standingsOf } from '../../domain/trust/claims/law.js'
import type { Supersession } from '../../domain/trust/claims/types.js'
import { type ClaimId, fieldOf, memoryOf } from '../../domain/trust/fields.js'
import { effectsOf } from '../../domain/trust/record.js'
import type { Memories } from '../memories.js'
import type { EventRecord } from '../records.js'
import { claimOf, type MemoryRow, NONE } from '../rows.js'
import { affectsOnlyItself, type View } from '../views.js'

/** The part of an event that its memory row does not contain. */
interface StatementRow extends Pick<EventRecord, 'place' | 'source' | 'occurredAt' | 'recordedAt'> {
  readonly memory: MemoryRow
  readonly links: readonly Link[]
  /** Its effects on other memories, packed: number of the memory × `EFFECT_RANGE` + index in `EFFECTS`. */
  readonly effects: readonly number[]
}

const EFFECTS = ['supersedes', 'disputes', 'reinforces', 'extends', 'noted', 'late'] as const
const EFFECT_RANGE = 8

/** The statements of each memory. The only statement of a memory without links is not stored, but made from its row. */
export class Statements {
  readonly #rows: Memories
  readonly #of = new Map<MemoryId, StatementRow[]>()
  readonly #sightings: StatementRow[] = []

  constructor(rows: Memories) {
    this.#rows = rows
  }

  /** Must be called before a repeat is applied, which overwrites values of the row. */
  keepFirst(id: MemoryId): void {
    const row = this.#rows.get(id)
    if (!this.#hasFirst(row)) this.#of.set(id, [firstOf(row), ...(this.#of.get(id) ?? [])])
  }

  /** Must be called after an event was applied. */
  add(record: EventRecord): void {
    // A record may have decisions without links: a link to an erased memory is removed, its decisions may stay.
    if (record.op === 'recorded' && affectsOnlyItself(record)) return
    const memory = this.#rows.get(record.id)
    const { place, source, occurredAt, recordedAt, links } = record
    const decisions = decisionsOf(record)
    const bearings = effectsOf({ ...statementOf(record, memory.context.id), decisions })
    const packed = bearings.flatMap(({ memory, effect }) => {
      const other = this.#rows.find(memory)
      return other === undefined ? [] : other.number * EFFECT_RANGE + EFFECTS.indexOf(effect)
    })
    const effects = packed.length === 0 ? NONE : packed
    const row = { memory, place, source, occurredAt, recordedAt, links, effects }
    if (record.op === 'sighted') this.#sightings.push(row)
    for (const id of new Set([record.id, ...decisions.reinforces.map(({ claim }) => claim)])) {
      const statements = this.#of.get(id)
      if (statements === undefined) this.#of.set(id, [row])
      else statements.push(row)
    }
  }

  /** A range of the statements of a memory, in order, and their total number. */
  of(memory: MemoryRow, from: number, limit: number): { statements: PastStatement[]; total: number } {
    const rows = this.#of.get(memory.id) ?? []
    const all = this.#hasFirst(memory) ? rows : [firstOf(memory), ...rows]
    return { statements: all.slice(from, from + limit).map((row) => this.#view(row)), total: all.length }
  }

  /** When the event at a place was recorded. */
  timeOf(place: number): string {
    const { list } = this.#rows
    const row = list[countUpTo(list, place) - 1]
    if (row?.place === place) return row.recordedAt
    return this.#sightings[countUpTo(this.#sightings, place) - 1]?.recordedAt ?? ''
  }

  /** The memories of the latest repeated statements. */
  latestRepeated(limit: number): MemoryRow[] {
    return this.#sightings.slice(-limit).map(({ memory }) => memory)
  }

  #hasFirst({ id, place }: MemoryRow): boolean {
    return this.#of.get(id)?.[0]?.place === place
  }

  #view({ memory, place, source, occurredAt, recordedAt, links, effects }: StatementRow): PastStatement {
    const bearsOn = effects.flatMap((packed): Bearing[] => {
      const other = this.#rows.list[Math.floor(packed / EFFECT_RANGE)]
      const effect = EFFECTS[packed % EFFECT_RANGE]
      if (other === undefined || effect === undefined) return []
      return [{ memoryId: other.id, contextId: other.context.id, effect }]
    })
    return { place, memoryId: memory.id, source, occurredAt, recordedAt, links, bearsOn }
  }
}

function firstOf(memory: MemoryRow): StatementRow {
  const { place, source, occurredAt, recordedAt } = memory
  return { memory, place, source, occurredAt, recordedAt, links: NONE, effects: NONE }
}

/** The history of a memory (see `Survey.history`). */
export function historyOf(
  row: MemoryRow,
  view: View,
  statements: Statements,
  { page, pageSize }: Paging,
): MemoryHistory {
  const toPast = (memoryId: MemoryId, superseded: Supersession | undefined): PastSupersession[] =>
    superseded === undefined
      ? []
      : [{ memoryId, ...superseded, recordedAt: statements.timeOf(superseded.place) }]
  const { claims } = view
  const claim = claims.whole(row.id)
  const opposed = [row.id, ...claims.parts(row.id)].flatMap((id) => [...claims.supersedes(id)])
  const replaced = Array.from(new Set(opposed.map(memoryOf)), (id) => ({
    id,
    gone: claims.whole(id)?.superseded,
  }))
  const { statements: items, total } = statements.of(row, page * pageSize, pageSize)
  return {
    items,
    total,
    page,
    pageSize,
    spells: spellsOf(row, view),
    supersedes: replaced
      .sort((a, b) => (a.gone?.place ?? 0) - (b.gone?.place ?? 0) || byCodeUnit(a.id, b.id))
      .slice(0, MAX_SUPERSEDED)
      .flatMap(({ id, gone }) => toPast(id, gone)),
    supersededBy: [...new Set(claim?.supersededBy.map(memoryOf))]
      .sort(byCodeUnit)
      .flatMap((id) => toPast(id, claim?.superseded)),
  }
}

/** The periods in which each claim of a memory stands, by the time they begin. */
export function spellsOf(row: MemoryRow, view: View): Spell[] {
  const all = [row.id, ...view.claims.parts(row.id)].flatMap((id) => {
    const field = fieldOf(id)
    return timesOf(id, row, view).map(({ from, to, by }) => ({
      ...(field !== undefined && { field }),
      validFrom: from,
      ...(to !== undefined && { validTo: to }),
      ...(by !== undefined && { by: memoryOf(by) }),
    }))
  })
  return all.sort((a, b) => byCodeUnit(a.validFrom, b.validFrom) || byCodeUnit(a.field ?? '', b.field ?? ''))
}

/** The periods in which a claim stands. */
export function timesOf(
  id: ClaimId,
  row: MemoryRow,
  { lines, claims, moment: { place } }: View,
): readonly Standing[] {
  if (lines.of(id).some((node) => node.place <= place)) return standingsOf(id, lines, place)
  const { from, until } = (claims.get(id) ?? claimOf(row)).spell
  return [until === undefined ? { from } : { from, to: until }]
}
