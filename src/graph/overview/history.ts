import { decisionsOf, statementOf } from '../../domain/events/recording.js'
import { countUpTo } from '../../domain/in-order.js'
import type { Bearing, Link, MemoryId } from '../../domain/model.js'
import { byCodeUnit } from '../../domain/names.js'
import type { Paging } from '../../domain/page.js'
import {
  type MemoryHistory,
  MOST_SUPERSEDED,
  type PastStatement,
  type PastSupersession,
  type Spell,
} from '../../domain/survey/history.js'
import type { Lines } from '../../domain/trust/claims/lines.js'
import { type Standing, standingsOf } from '../../domain/trust/claims/spells.js'
import type { Supersession } from '../../domain/trust/claims/types.js'
import type { ClaimsAt } from '../../domain/trust/claims-at.js'
import { type ClaimId, fieldOf, memoryOf } from '../../domain/trust/fields.js'
import { effectsOf } from '../../domain/trust/record.js'
import type { Memories } from '../memories.js'
import type { EventRecord } from '../records.js'
import { claimOf, type MemoryRow, NONE, NOW } from '../rows.js'
import { isAlone } from '../views.js'

/** An event as far as its memory does not tell it. */
interface StatementRow extends Pick<EventRecord, 'place' | 'source' | 'occurredAt' | 'recordedAt'> {
  readonly memory: MemoryRow
  readonly links: readonly Link[]
  /** What it did: the number of the other memory and, in the lowest bits, the effect. */
  readonly did: readonly number[]
}

const EFFECTS = ['supersedes', 'disputes', 'reinforces', 'extends', 'noted', 'late'] as const
const BITS = 8

/** The statements of each memory. That of a memory without links that was stated once is made from its row. */
export class Statements {
  readonly #rows: Memories
  readonly #of = new Map<MemoryId, StatementRow[]>()
  readonly #sightings: StatementRow[] = []

  constructor(rows: Memories) {
    this.#rows = rows
  }

  /** Is called before a repeat is applied, which changes what the row tells. */
  keepFirst(id: MemoryId): void {
    const row = this.#rows.get(id)
    if (!this.#hasFirst(row)) this.#of.set(id, [firstOf(row), ...(this.#of.get(id) ?? [])])
  }

  /** Is called after an event was applied. */
  add(record: EventRecord): void {
    // What was decided may outlast the link that it followed from: that of an erased memory is gone.
    if (record.op === 'recorded' && isAlone(record)) return
    const memory = this.#rows.get(record.id)
    const { place, source, occurredAt, recordedAt, links } = record
    const decisions = decisionsOf(record)
    const effects = effectsOf({ ...statementOf(record, memory.context.id), decisions })
    const did = effects.flatMap(({ memory, effect }) => {
      const other = this.#rows.find(memory)
      return other === undefined ? [] : other.number * BITS + EFFECTS.indexOf(effect)
    })
    const row = { memory, place, source, occurredAt, recordedAt, links, did: did.length === 0 ? NONE : did }
    if (record.op === 'sighted') this.#sightings.push(row)
    for (const id of new Set([record.id, ...decisions.reinforces.map(({ claim }) => claim)])) {
      const known = this.#of.get(id)
      if (known === undefined) this.#of.set(id, [row])
      else known.push(row)
    }
  }

  /** Some statements of a memory, in order, and how many there are. */
  of(memory: MemoryRow, from: number, most: number): { statements: PastStatement[]; total: number } {
    const kept = this.#of.get(memory.id) ?? []
    const all = this.#hasFirst(memory) ? kept : [firstOf(memory), ...kept]
    return { statements: all.slice(from, from + most).map((row) => this.#view(row)), total: all.length }
  }

  /** When the event at a place was recorded. */
  timeOf(place: number): string {
    const { list } = this.#rows
    const row = list[countUpTo(list, place) - 1]
    if (row?.place === place) return row.recordedAt
    return this.#sightings[countUpTo(this.#sightings, place) - 1]?.recordedAt ?? ''
  }

  /** The memories of the latest repeats. */
  latestRepeated(most: number): MemoryRow[] {
    return this.#sightings.slice(-most).map(({ memory }) => memory)
  }

  #hasFirst({ id, place }: MemoryRow): boolean {
    return this.#of.get(id)?.[0]?.place === place
  }

  #view({ memory, place, source, occurredAt, recordedAt, links, did }: StatementRow): PastStatement {
    const bearsOn = did.flatMap((packed): Bearing[] => {
      const other = this.#rows.list[Math.floor(packed / BITS)]
      const effect = EFFECTS[packed % BITS]
      if (other === undefined || effect === undefined) return []
      return [{ memoryId: other.id, contextId: other.context.id, effect }]
    })
    return { place, memoryId: memory.id, source, occurredAt, recordedAt, links, bearsOn }
  }
}

function firstOf(memory: MemoryRow): StatementRow {
  const { place, source, occurredAt, recordedAt } = memory
  return { memory, place, source, occurredAt, recordedAt, links: NONE, did: NONE }
}

/** The history of a memory (`GraphReader.history` says what). */
export function historyOf(
  row: MemoryRow,
  claims: ClaimsAt,
  lines: Lines,
  statements: Statements,
  { page, pageSize }: Paging,
): MemoryHistory {
  const toPast = (memoryId: MemoryId, superseded: Supersession | undefined): PastSupersession[] =>
    superseded === undefined
      ? []
      : [{ memoryId, ...superseded, recordedAt: statements.timeOf(superseded.place) }]
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
    spells: spellsOf(row, lines, claims),
    supersedes: replaced
      .sort((a, b) => (a.gone?.place ?? 0) - (b.gone?.place ?? 0) || byCodeUnit(a.id, b.id))
      .slice(0, MOST_SUPERSEDED)
      .flatMap(({ id, gone }) => toPast(id, gone)),
    supersededBy: [...new Set(claim?.supersededBy.map(memoryOf))]
      .sort(byCodeUnit)
      .flatMap((id) => toPast(id, claim?.superseded)),
  }
}

/** When each claim of a memory is what stands, in the order of the world. */
export function spellsOf(row: MemoryRow, lines: Lines, claims: Pick<ClaimsAt, 'get' | 'parts'>): Spell[] {
  const all = [row.id, ...claims.parts(row.id)].flatMap((id) => {
    const field = fieldOf(id)
    return timesOf(id, row, lines, claims, NOW).map(({ from, to, by }) => ({
      ...(field !== undefined && { field }),
      validFrom: from,
      ...(to !== undefined && { validTo: to }),
      ...(by !== undefined && { by: memoryOf(by) }),
    }))
  })
  return all.sort((a, b) => byCodeUnit(a.validFrom, b.validFrom) || byCodeUnit(a.field ?? '', b.field ?? ''))
}

/** When a claim of a memory is what stands. */
export function timesOf(
  id: ClaimId,
  row: MemoryRow,
  lines: Lines,
  claims: Pick<ClaimsAt, 'get'>,
  place: number,
): readonly Standing[] {
  if (lines.of(id).some((node) => node.place <= place)) return standingsOf(id, lines, place)
  const { from, until } = (claims.get(id) ?? claimOf(row)).spell
  return [until === undefined ? { from } : { from, to: until }]
}
