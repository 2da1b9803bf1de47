/** What two records have to do with each other by their fields. */
export type FieldVerdict =
  /** The same field of the same record, with another value. */
  | 'changed'
  /** The same record, as far as its fields tell. */
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
  correction comment detail details`.split(/\s+/),
)

/** Does a field say which thing a record is about? */
export function isIdentity(name: string): boolean {
  return IDENTITY.test(name)
}

export function isAnnouncing(name: string): boolean {
  return ANNOUNCING.has(name)
}

export function compareFields(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): FieldVerdict {
  if (a.size === 0 || b.size === 0) return 'open'
  let equal = 0
  let changed = 0
  let identified = false
  let tell = false
  for (const [name, value] of a) {
    const other = b.get(name)
    if (other === undefined) continue
    if (isAnnouncing(name)) tell = true
    else if (isIdentity(name)) {
      if (value !== other) return 'other'
      identified = true
    } else if (value === other) equal++
    else changed++
  }
  // Beside sentences of their own, fields may only say who said it or when.
  if (tell) return 'open'
  // Where several fields changed and none stayed, these may be two things of one kind.
  if (changed > 0 && (identified || changed === 1 || equal >= changed)) return 'changed'
  return identified || (equal > 0 && changed === 0) ? 'same' : 'open'
}

/** Has a field that both have another value, although they are about the same thing? */
export function fieldChanged(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  const verdict = compareFields(a, b)
  if (verdict !== 'same' && verdict !== 'changed') return false
  for (const [name, value] of a) {
    const other = b.get(name)
    if (other !== undefined && other !== value) return true
  }
  return false
}
