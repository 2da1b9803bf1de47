import { byCodeUnit } from '../../domain/names.js'
import type { Spell } from '../../domain/survey/history.js'
import { plainText } from '../../domain/text.js'
import type { TextCache } from '../../domain/text-cache.js'
import type { Lines } from '../../domain/trust/claims/lines.js'
import type { ClaimsAt } from '../../domain/trust/claims-at.js'
import { folded, isMeasure } from '../../domain/trust/fields.js'
import type { MemoryRow } from '../rows.js'
import { fieldsOfRow } from '../views.js'
import { spellsOf } from './history.js'

interface Known {
  readonly claims: ClaimsAt
  readonly lines: Lines
  readonly texts: TextCache
}

/** A spell of a memory; its text is absent where it is that of the memory. */
interface Shown extends Spell {
  readonly row: MemoryRow
  readonly text: string | undefined
  readonly isSeries: boolean
}

/** When some memories, or fields of them, stand, in the order of the world. In small steps. */
export function* timelineOf(rows: readonly MemoryRow[], known: Known): Generator<void, Shown[]> {
  const series = yield* readingsIn(rows, known)
  const shown: Shown[] = []
  for (const row of rows) {
    for (const spell of spellsOf(row, known.lines, known.claims))
      shown.push({ ...spell, row, text: textOf(row, spell, known.texts), isSeries: series.has(row) })
    yield
  }
  return shown.sort(
    (a, b) =>
      byCodeUnit(a.validFrom, b.validFrom) ||
      a.row.number - b.row.number ||
      byCodeUnit(a.field ?? '', b.field ?? ''),
  )
}

function textOf(row: MemoryRow, { field }: Spell, texts: TextCache): string | undefined {
  if (field === undefined) return undefined
  const { values, prose } = fieldsOfRow(row, texts)
  const value = values.get(folded(field)) ?? values.get(prose[0] ?? '')
  return value === undefined ? undefined : plainText(value)
}

/** The memories that hold one of several readings of a field of one thing, none of which replaced another. */
function* readingsIn(rows: readonly MemoryRow[], { lines, texts }: Known): Generator<void, Set<MemoryRow>> {
  const readings = new Map<string, MemoryRow[]>()
  for (const row of rows) {
    yield
    if (lines.of(row.id).length > 0) continue
    const { slots, values, subject } = fieldsOfRow(row, texts)
    const measures = slots.filter((slot) => isMeasure(values.get(slot)))
    const thing = subject === undefined ? '' : JSON.stringify(values.get(subject))
    for (const slot of measures) {
      const key = `${slot} ${thing}`
      const known = readings.get(key)
      if (known === undefined) readings.set(key, [row])
      else known.push(row)
    }
  }
  return new Set([...readings.values()].filter(({ length }) => length > 1).flat())
}
