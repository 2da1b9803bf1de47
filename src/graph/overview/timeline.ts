import { listOf } from '../../domain/groups.js'
import { byCodeUnit } from '../../domain/names.js'
import type { Spell } from '../../domain/survey/history.js'
import { plainText } from '../../domain/text.js'
import type { TextCache } from '../../domain/text-cache.js'
import { folded, isMeasure } from '../../domain/trust/fields.js'
import type { MemoryRow } from '../rows.js'
import { fieldsOfRow, type View } from '../views.js'
import { spellsOf } from './history.js'

/** A period of a memory; `text` is undefined if it is the text of the whole memory. */
interface TimelineRow extends Spell {
  readonly row: MemoryRow
  readonly text: string | undefined
  readonly isSeries: boolean
}

/** The periods in which memories, or fields of them, stand, by the time they begin. Works in small steps. */
export function* timelineOf(rows: readonly MemoryRow[], graph: View): Generator<void, TimelineRow[]> {
  const series = yield* readingsIn(rows, graph)
  const timeline: TimelineRow[] = []
  for (const row of rows) {
    for (const spell of spellsOf(row, graph))
      timeline.push({ ...spell, row, text: textOf(row, spell, graph.texts), isSeries: series.has(row) })
    yield
  }
  return timeline.sort(
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

/** The memories with one of several readings of the same field of the same subject, none of which replaced another. */
function* readingsIn(rows: readonly MemoryRow[], { lines, texts }: View): Generator<void, Set<MemoryRow>> {
  const readings = new Map<string, MemoryRow[]>()
  for (const row of rows) {
    yield
    if (lines.of(row.id).length > 0) continue
    const { slots, values, subject } = fieldsOfRow(row, texts)
    const measures = slots.filter((slot) => isMeasure(values.get(slot)))
    const thing = subject === undefined ? '' : JSON.stringify(values.get(subject))
    for (const slot of measures) listOf(readings, `${slot} ${thing}`).push(row)
  }
  return new Set([...readings.values()].filter(({ length }) => length > 1).flat())
}
