import type { LinkKind } from '../../../domain/model.js'
import { type Claim, NOTHING_DECIDED, type Recorded } from '../../../domain/trust/claims/types.js'
import { joinedBy } from '../../../domain/trust/erase/connected.js'
import { isPlain } from '../../../domain/trust/table.js'
import { createYielding } from '../../../loop/yielding.js'
import type { BulkWrite, Column } from '../connection/bulk-write.js'
import { basesText, claimText } from '../schema/claims.js'
import type { ClaimsSoFar } from '../trust/claims-so-far.js'

interface FlushOptions {
  /** The memories are there already, so that their claims are not written with them. */
  readonly areThere?: boolean
  /** Does `joined` have a place? */
  readonly hasPlaces?: boolean
  readonly yielding?: () => Promise<void> | undefined
}

/** What was decided changes these rows, and those of the memories that are new, which are written with their memories. */
export async function flushClaims(
  tables: BulkWrite,
  soFar: ClaimsSoFar,
  recorded: readonly Recorded[],
  { areThere = false, hasPlaces = true, yielding = createYielding() }: FlushOptions = {},
): Promise<void> {
  const { changes } = soFar
  const known = [...changes.claims.values()].filter(
    (claim) => soFar.before(claim.id) !== undefined || (areThere && !isPlain(claim)),
  )
  tables.update('update-claims', 'memories', [
    ['memory_id', 'text', known.map(({ id }) => id)],
    ['claim', 'text', known.map(claimText)],
    ['bases', 'text[]', known.map(basesText)],
    ['superseded_at', 'bigint', known.map(({ superseded }) => superseded?.place ?? null)],
    ['superseded_source', 'text', known.map(({ superseded }) => superseded?.source ?? null)],
  ])
  await yielding()
  flushSupersessions(tables, soFar)
  const both = changes.disputes.flatMap(({ a, b, open }) => [
    { open, memory: a, other: b },
    { open, memory: b, other: a },
  ])
  const closed = both.filter(({ open }) => !open)
  tables.remove('disputes', [
    ['memory_id', 'text', closed.map(({ memory }) => memory)],
    ['other_id', 'text', closed.map(({ other }) => other)],
  ])
  const opened = both.filter(({ open }) => open)
  tables.insert(
    'disputes',
    [
      ['memory_id', 'text', opened.map(({ memory }) => memory)],
      ['other_id', 'text', opened.map(({ other }) => other)],
    ],
    'ON CONFLICT DO NOTHING',
  )
  const against = [...changes.claims.values()]
    .filter(({ against }) => against.length > 0)
    .flatMap(({ id, against }) =>
      against.slice(soFar.before(id)?.against.length ?? 0).map((record) => ({ id, ...record })),
    )
  tables.insert('records_against', [
    ['context_id', 'text', against.map(({ contextId }) => contextId)],
    ['place', 'bigint', against.map(({ place }) => place)],
    ['memory_id', 'text', against.map(({ id }) => id)],
  ])
  const joined: Joined[] = []
  for (const one of recorded) {
    if (one.decisions !== NOTHING_DECIDED) joined.push(...joinsOf(one))
    await yielding()
  }
  tables.insert(
    'joined',
    [
      ['node', 'text', joined.map(({ node }) => node)],
      ['kind', 'text', joined.map(({ kind }) => kind)],
      ['memory_id', 'text', joined.map(({ claim }) => claim)],
      ...(hasPlaces ? [['place', 'bigint', joined.map(({ place }) => place)] satisfies Column] : []),
    ],
    'ON CONFLICT DO NOTHING',
    hasPlaces ? 'insert-joined' : 'insert-joined-without-places',
  )
}

function flushSupersessions(tables: BulkWrite, soFar: ClaimsSoFar): void {
  const before = ({ id }: Claim) => soFar.before(id)?.supersededBy ?? []
  const changed = [...soFar.changes.claims.values()].filter(
    (claim) => claim.supersededBy !== before(claim) && claim.supersededBy.join() !== before(claim).join(),
  )
  const gone = changed.flatMap((claim) =>
    before(claim)
      .filter((by) => !claim.supersededBy.includes(by))
      .map((by) => ({ by, id: claim.id })),
  )
  tables.remove('supersessions', [
    ['memory_id', 'text', gone.map(({ id }) => id)],
    ['by_id', 'text', gone.map(({ by }) => by)],
  ])
  const made = changed.flatMap((claim) =>
    claim.supersededBy.filter((by) => !before(claim).includes(by)).map((by) => ({ by, id: claim.id })),
  )
  tables.insert('supersessions', [
    ['memory_id', 'text', made.map(({ id }) => id)],
    ['by_id', 'text', made.map(({ by }) => by)],
  ])
}

export interface Joined {
  readonly node: string
  readonly kind: LinkKind | 'opposition'
  readonly claim: string
  readonly place: number
}

/** What an event joins to its claim, by the kind of the link; `opposition` where no link of it bears on that. */
export function joinsOf(event: Recorded): Joined[] {
  const { links, decisions, claim, place } = event
  const joins = new Map<string, Joined>()
  const join = (node: string, kind: Joined['kind']) => {
    if (node !== claim) joins.set(`${kind} ${node}`, { node, kind, claim, place })
  }
  const borne = new Set<string>()
  for (const [i, ids] of decisions.bears.entries())
    for (const id of ids) {
      join(id, links[i]?.kind ?? 'opposition')
      borne.add(id)
    }
  for (const node of joinedBy(event)) if (!borne.has(node)) join(node, 'opposition')
  return [...joins.values()]
}
