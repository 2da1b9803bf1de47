import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TrustRules } from '../../model/trust-rules.js'
import { runsOf } from '../../support/runs.js'
import { play, steps } from './histories.js'
import { World } from './world.js'

const numRuns = runsOf({ quick: 60, full: 2000 }, 'MODEL_RUNS')
const timeout = 30_000 + numRuns * 60

describe('T7: random histories of several subjects and sources, with links, sightings and erasures', () => {
  it(
    'the claims are what the rules, read over the whole history, make of them',
    () => {
      fc.assert(
        fc.property(steps, (history) => {
          const world = new World()
          const rules = new TrustRules(world.judgement)
          const counter = { memories: 0 }
          for (const step of history) {
            play(
              world,
              step,
              { state: (...said) => rules.state(...said), erase: (ids) => rules.erase(ids) },
              counter,
            )
            for (const id of world.ids) {
              const { status, confidence, supersededBy, supersedes, disputedBy, timesSeen } = world.assess(id)
              expect({ id, status, confidence, supersededBy, supersedes, disputedBy, timesSeen }).toEqual({
                id,
                ...rules.tell(id),
              })
            }
          }
        }),
        { numRuns },
      )
    },
    timeout,
  )

  it(
    'the kept decisions pass the check of an import and, replayed, give the same claims as deciding did',
    () => {
      fc.assert(
        fc.property(steps, (history) => {
          const world = new World()
          const counter = { memories: 0 }
          for (const step of history) play(world, step, { state: () => {}, erase: () => {} }, counter)
          const table = world.imported()
          for (const id of world.ids) {
            expect(table.get(id)).toEqual(world.table.get(id))
            expect([...table.opponents(id)].sort()).toEqual([...world.table.opponents(id)].sort())
            expect([...table.supersedes(id)].sort()).toEqual([...world.table.supersedes(id)].sort())
          }
          for (const context of ['fact:0', 'fact:1']) {
            expect(table.standing(context)).toEqual(world.table.standing(context))
            expect([...table.against(context)].sort(byPlace)).toEqual(
              [...world.table.against(context)].sort(byPlace),
            )
          }
        }),
        { numRuns },
      )
    },
    timeout,
  )
})

function byPlace(a: { place: number }, b: { place: number }): number {
  return a.place - b.place
}
