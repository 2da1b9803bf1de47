/** What two records have to do with each other by their fields. */
export type FieldVerdict =
  /** The same field of the same thing. */
  | 'same'
  /** A field that says which thing it is differs. */
  | 'other'
  /** Their fields do not tell. */
  | 'open'

/** The last word of a field's name that says which one of several things a record is about. */
const IDENTITY =
  /(?:^|[._ -])(?:id|key|name|title|task|ticket|issue|item|line|step|stage|phase|shift|meter|metric|service|config|host|server|person|user|customer|client|project|path|file|url|command|test|chore|deadline|invoice|order|product|type|kind|env|environment|date|at)$/u

/** Fields that announce a sentence: two payloads that both have them need not have a thing in common. */
const ANNOUNCING = new Set(
  `data text value content message note summary description fact body observation decision reason problem cause fix
  result correction comment detail details`.split(/\s+/),
)

export function isAnnouncing(name: string): boolean {
  return ANNOUNCING.has(name)
}

export function compareFields(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): FieldVerdict {
  if (a.size === 0 || b.size === 0) return 'open'
  let equal = 0
  let changed = 0
  let identified = false
  for (const [name, value] of a) {
    const other = b.get(name)
    if (other === undefined || isAnnouncing(name)) continue
    if (IDENTITY.test(name)) {
      if (value !== other) return 'other'
      identified = true
    } else if (value === other) equal++
    else changed++
  }
  if (identified) return 'same'
  // Where several fields changed and none stayed, these may be two things of one kind.
  return changed === 1 || (changed + equal > 0 && equal >= changed) ? 'same' : 'open'
}

/** Has a field that both have another value, although they are about the same thing? */
export function fieldChanged(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (compareFields(a, b) !== 'same') return false
  for (const [name, value] of a) {
    const other = b.get(name)
    if (other !== undefined && other !== value) return true
  }
  return false
}
