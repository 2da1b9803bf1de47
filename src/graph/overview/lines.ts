import { byCodeUnit } from '../../domain/names.js'
import type { ClaimOnce } from '../../domain/search/knowledge.js'
import { labelled } from '../../domain/text.js'
import { replacing } from '../../domain/trust/claims/law.js'
import { type ClaimId, fieldOf, folded, isMeasure, memoryOf } from '../../domain/trust/fields.js'
import { existsAt, type MemoryRow } from '../rows.js'
import { fieldsOfRow, unsplitKeys, type View } from '../views.js'
import { timesOf } from './history.js'

/** The maximum number of claims in a line. */
const MAX_CLAIMS = 200

type Once = Omit<ClaimOnce, 'memory'> & { readonly row: MemoryRow }

/** For each claim of some memories: the claim, those that replaced it and those it replaced, with the time of each. */
export function linesOf(rows: readonly MemoryRow[], graph: View): Once[][] {
  const seen = new Set<ClaimId>()
  return rows
    .flatMap(({ id }) => [id, ...graph.claims.parts(id)])
    .flatMap((id) => {
      const ids = seen.has(id) ? [] : lineOf(id, graph)
      for (const one of ids) seen.add(one)
      const all =
        ids.length === 1 && graph.lines.of(id).length === 0
          ? seriesOf(id, graph)
          : ids.flatMap((one) => onceOf(one, graph))
      for (const { row } of all) seen.add(row.id)
      return all.length === 0 ? [] : [all.sort((a, b) => byCodeUnit(a.from, b.from))]
    })
}

function lineOf(id: ClaimId, { lines, moment }: View): readonly ClaimId[] {
  const found = new Set([id])
  for (const one of found) {
    if (found.size >= MAX_CLAIMS) break
    for (const node of lines.of(one)) for (const { node: by } of replacing(node, moment)) found.add(by.claim)
    for (const before of lines.replacedBy(one))
      if (lines.of(before).some((node) => replacing(node, moment).some(({ node: by }) => by.claim === one)))
        found.add(before)
  }
  return [...found]
}

/** The readings of the same measure in the context of a memory that no other event concerns. No reading ends another. */
function seriesOf(id: ClaimId, graph: View): Once[] {
  const row = graph.rows.find(memoryOf(id))
  if (row === undefined) return []
  const [one, others] = [readingOf(row, graph), row.context.memories.slice(-MAX_CLAIMS)]
  const rows = others.filter(
    (other) =>
      other === row ||
      (one !== undefined &&
        existsAt(other, graph.moment) &&
        graph.lines.of(other.id).length === 0 &&
        readingOf(other, graph) === one),
  )
  const series = rows.flatMap((other) => onceOf(other.id, graph))
  return series.length === 1 ? series : series.map((once) => ({ ...once, to: once.to ?? once.from }))
}

/** Identifies what a memory measures: its fields, and the subject it names; undefined if no field is a measure. */
function readingOf(row: MemoryRow, { texts }: View): string | undefined {
  const { slots, values, subject } = fieldsOfRow(row, texts)
  if (!slots.some((slot) => slot !== subject && isMeasure(values.get(slot)))) return undefined
  return JSON.stringify([slots, subject === undefined ? null : (values.get(subject) ?? null)])
}

function onceOf(id: ClaimId, graph: View): Once[] {
  const row = graph.rows.find(memoryOf(id))
  if (row === undefined || !existsAt(row, graph.moment)) return []
  const text = textOf(id, row, graph)
  return timesOf(id, row, graph).map(({ from, to }) => ({
    row,
    text,
    from,
    ...(to !== undefined && { to }),
  }))
}

/** The text of a claim: a field, or the fields of a memory that have no claim of their own. */
function textOf(id: ClaimId, row: MemoryRow, { claims, texts }: View): string {
  const fields = fieldsOfRow(row, texts)
  const { values, written, prose, order } = fields
  const labelledText = (keys: readonly string[]) =>
    keys
      .map((key) => labelled(written.get(key) ?? key, values.get(key) ?? null))
      .filter((text) => text !== '')
      .join('; ')
  const field = fieldOf(id)
  if (field !== undefined) {
    const key = folded(field)
    return labelledText(prose.includes(key) ? prose : [key])
  }
  const parts = claims.parts(row.id)
  const own = new Set(unsplitKeys(fields, parts))
  // If no field has its own claim, qualifiers are part of the text, too.
  return labelledText(parts.length === 0 ? order : order.filter((key) => own.has(key)))
}
