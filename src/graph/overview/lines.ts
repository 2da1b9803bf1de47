import { byCodeUnit } from '../../domain/names.js'
import type { ClaimOnce } from '../../domain/search/knowledge.js'
import { labelled } from '../../domain/text.js'
import type { TextCache } from '../../domain/text-cache.js'
import { replacing } from '../../domain/trust/claims/law.js'
import type { Lines } from '../../domain/trust/claims/lines.js'
import type { ClaimsAt } from '../../domain/trust/claims-at.js'
import { type ClaimId, claimsIn, fieldOf, folded, isMeasure, memoryOf } from '../../domain/trust/fields.js'
import { isThere, type MemoryRow, type Moment } from '../rows.js'
import { fieldsOfRow } from '../views.js'
import { timesOf } from './history.js'

/** Of a line, the claims that are told. */
const MOST_CLAIMS = 200

interface Known {
  readonly claims: Pick<ClaimsAt, 'get' | 'parts'>
  readonly lines: Lines
  readonly texts: TextCache
  readonly rowOf: (id: string) => MemoryRow | undefined
  readonly moment: Moment
}

type Once = Omit<ClaimOnce, 'memory'> & { readonly row: MemoryRow }

/** For each claim of some memories, what held of it and when: with all that took its place, or that it took the place of. */
export function linesOf(rows: readonly MemoryRow[], known: Known): Once[][] {
  const seen = new Set<ClaimId>()
  return rows
    .flatMap(({ id }) => [id, ...known.claims.parts(id)])
    .flatMap((id) => {
      const ids = seen.has(id) ? [] : lineOf(id, known)
      for (const one of ids) seen.add(one)
      const all =
        ids.length === 1 && known.lines.of(id).length === 0
          ? seriesOf(id, known)
          : ids.flatMap((one) => onceOf(one, known))
      for (const { row } of all) seen.add(row.id)
      return all.length === 0 ? [] : [all.sort((a, b) => byCodeUnit(a.from, b.from))]
    })
}

function lineOf(id: ClaimId, { lines, moment }: Known): readonly ClaimId[] {
  const found = new Set([id])
  for (const one of found) {
    if (found.size >= MOST_CLAIMS) break
    for (const node of lines.of(one)) for (const { node: by } of replacing(node, moment)) found.add(by.claim)
    for (const before of lines.replacedBy(one))
      if (lines.of(before).some((node) => replacing(node, moment).some(({ node: by }) => by.claim === one)))
        found.add(before)
  }
  return [...found]
}

/** The readings of what a memory that nobody spoke of measures: none of them ends another. */
function seriesOf(id: ClaimId, known: Known): Once[] {
  const row = known.rowOf(memoryOf(id))
  if (row === undefined) return []
  const [one, others] = [readingOf(row, known), row.context.memories.slice(-MOST_CLAIMS)]
  const rows = others.filter(
    (other) =>
      other === row ||
      (one !== undefined &&
        isThere(other, known.moment) &&
        known.lines.of(other.id).length === 0 &&
        readingOf(other, known) === one),
  )
  const series = rows.flatMap((other) => onceOf(other.id, known))
  return series.length === 1 ? series : series.map((once) => ({ ...once, to: once.to ?? once.from }))
}

/** What a memory is a reading of: its fields, and the thing that it names; undefined where none is a measure. */
function readingOf(row: MemoryRow, { texts }: Known): string | undefined {
  const { slots, values, subject } = fieldsOfRow(row, texts)
  if (!slots.some((slot) => slot !== subject && isMeasure(values.get(slot)))) return undefined
  return JSON.stringify([slots, subject === undefined ? null : (values.get(subject) ?? null)])
}

function onceOf(id: ClaimId, known: Known): Once[] {
  const row = known.rowOf(memoryOf(id))
  if (row === undefined || !isThere(row, known.moment)) return []
  const text = textOf(id, row, known)
  return timesOf(id, row, known.lines, known.claims, known.moment.place).map(({ from, to }) => ({
    row,
    text,
    from,
    ...(to !== undefined && { to }),
  }))
}

/** What a claim said: a field, or what was not split off of a memory. */
function textOf(id: ClaimId, row: MemoryRow, { claims, texts }: Known): string {
  const fields = fieldsOfRow(row, texts)
  const { values, written, prose, order } = fields
  const told = (keys: readonly string[]) =>
    keys
      .map((key) => labelled(written.get(key) ?? key, values.get(key) ?? null))
      .filter((text) => text !== '')
      .join('; ')
  const field = fieldOf(id)
  if (field !== undefined) {
    const key = folded(field)
    return told(prose.includes(key) ? prose : [key])
  }
  const split = new Set(claims.parts(row.id).map((part) => folded(fieldOf(part) ?? '')))
  const own = new Set(claimsIn(fields).filter((key) => !split.has(key)))
  // Without claims of their own, qualifiers go with what they qualify.
  return told(split.size === 0 ? order : order.filter((key) => own.has(key)))
}
