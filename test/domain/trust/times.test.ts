import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Changes } from '../../../src/domain/trust/claims/changes.js'
import { ClaimsAt, holds } from '../../../src/domain/trust/claims-at.js'
import { check } from '../../../src/domain/trust/decide/check.js'
import { replay } from '../../../src/domain/trust/record.js'
import { ClaimTable } from '../../../src/domain/trust/table.js'
import { runsOf } from '../../support/runs.js'
import { memoryId, World } from './world.js'

interface Value {
  readonly from: number
  readonly length: number | undefined
  readonly corrects: number | undefined
}

const DAY_MS = 86_400_000
const momentOf = (day: number) => new Date(day * DAY_MS).toISOString()
const NOW = Number.POSITIVE_INFINITY
const RUNS = runsOf({ quick: 150, full: 3000 })

const values = fc.array(
  fc.record({
    from: fc.nat(60),
    length: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 2 }),
    corrects: fc.option(fc.nat(5), { nil: undefined, freq: 3 }),
  }),
  { minLength: 2, maxLength: 7 },
)

/** Values of one thing, each against the context or one of those before it. */
function told(all: readonly Value[]): World {
  const world = new World()
  for (const [i, { from, length, corrects }] of all.entries()) {
    const target = corrects !== undefined && corrects < i ? memoryId(corrects + 1) : 'fact:c'
    const start = from + i / 100
    const times = { from: momentOf(start), ...(length !== undefined && { until: momentOf(start + length) }) }
    const text = { subject: 's', payload: { rent: 900 + i } }
    const links = i === 0 ? {} : { contradicts: [target] }
    world.state(memoryId(i + 1), 'agent', links, { text, contextId: 'fact:c' }, undefined, times)
  }
  return world
}

function standingAt(table: ClaimTable, world: World, day: number): string[] {
  const claims = new ClaimsAt(table, table, { place: NOW, at: momentOf(day) })
  return world.ids.filter((id) => holds(claims.whole(id)))
}

describe('T10: decisions about times', () => {
  it('pass the check of an import, and replayed say the same of every day', () => {
    fc.assert(
      fc.property(values, fc.array(fc.nat(90), { maxLength: 5 }), (all, days) => {
        const world = told(all)
        const table = new ClaimTable()
        for (const event of world.events) {
          expect(check(event, table)).toBeUndefined()
          const changes = new Changes(table)
          replay(event, changes)
          table.commit(changes, event.place)
        }
        for (const day of days)
          expect(standingAt(table, world, day)).toEqual(standingAt(world.table, world, day))
      }),
      { numRuns: RUNS },
    )
  })

  it('what is left after an erasure stands as if the rest had never been recorded', () => {
    const byContext = values.map((all) => all.map((value) => ({ ...value, corrects: undefined })))
    fc.assert(
      fc.property(byContext, fc.nat(6), fc.array(fc.nat(90), { maxLength: 5 }), (all, pick, days) => {
        const world = told(all)
        const gone = memoryId(1 + (pick % all.length))
        world.erase(gone)
        const values = all.flatMap((value, i) => {
          const start = value.from + i / 100
          const until = value.length === undefined ? Number.POSITIVE_INFINITY : start + value.length
          return memoryId(i + 1) === gone ? [] : [{ id: memoryId(i + 1), start, until }]
        })
        for (const day of days) {
          const last = values
            .filter(({ start, until }) => start <= day && until > day)
            .reduce<{ id: string; start: number } | undefined>(
              (a, b) => (a !== undefined && a.start >= b.start ? a : b),
              undefined,
            )
          expect(standingAt(world.table, world, day)).toEqual(last === undefined ? [] : [last.id])
        }
      }),
      { numRuns: RUNS },
    )
  })
})
