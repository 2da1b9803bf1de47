import { createYielding } from '../../../loop/yielding.js'
import { type BulkWrite, longRows } from '../connection/bulk-write.js'
import { basesText, claimText } from '../schema/claims.js'
import type { Step } from '../trust/step.js'

/** Every state that some events have brought claims into, so that the graph can be seen as it was in between. */
export async function flushHistory(
  tables: BulkWrite,
  steps: readonly Step[],
  yielding = createYielding(),
): Promise<void> {
  // Records against a context are found by their places, and would make each version as long as all before it.
  const versions = steps.flatMap(({ place, claims }) =>
    claims.map((claim) => ({ place, claim: { ...claim, against: [] } })),
  )
  for (const some of longRows(versions)) {
    tables.insert('claim_versions', [
      ['memory_id', 'text', some.map(({ claim }) => claim.id)],
      ['place', 'bigint', some.map(({ place }) => place)],
      ['claim', 'text', some.map(({ claim }) => claimText(claim))],
      ['bases', 'text[]', some.map(({ claim }) => basesText(claim))],
      ['superseded_at', 'bigint', some.map(({ claim }) => claim.superseded?.place ?? null)],
      ['superseded_source', 'text', some.map(({ claim }) => claim.superseded?.source ?? null)],
    ])
    await yielding()
  }
  const superseded = versions.flatMap(({ claim: { id, supersededBy } }) =>
    supersededBy.map((by) => ({ id, by })),
  )
  tables.insert(
    'superseded_once',
    [
      ['memory_id', 'text', superseded.map(({ id }) => id)],
      ['by_id', 'text', superseded.map(({ by }) => by)],
    ],
    'ON CONFLICT DO NOTHING',
  )
  const disputes = steps.flatMap(({ place, disputes }) =>
    disputes.flatMap(({ a, b, open }) => [
      { place, memory: a, other: b, open },
      { place, memory: b, other: a, open },
    ]),
  )
  tables.insert('dispute_changes', [
    ['memory_id', 'text', disputes.map(({ memory }) => memory)],
    ['other_id', 'text', disputes.map(({ other }) => other)],
    ['place', 'bigint', disputes.map(({ place }) => place)],
    ['is_open', 'boolean', disputes.map(({ open }) => open)],
  ])
}
