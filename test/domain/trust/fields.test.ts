import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, MemoryId, Source } from '../../../src/domain/model.js'
import { claimsOf } from '../../../src/domain/trust/claims/claims.js'
import { rankOf, sourceOf } from '../../../src/domain/trust/claims/rank.js'
import { holderOf } from '../../../src/domain/trust/decide/bearing.js'
import { claimOfField, fieldOf, folded, memoryOf } from '../../../src/domain/trust/fields.js'
import { runsOf } from '../../support/runs.js'
import { Naive } from './naive-fields.js'
import { memoryId, World } from './world.js'

const numRuns = runsOf({ quick: 100, full: 3000 }, 'MODEL_RUNS')
const timeout = 30_000 + numRuns * 60
const FIELDS = ['price', 'size', 'in/out']

const steps = fc.array(
  fc.record({
    isErasure: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
    isRepeat: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    pick: fc.nat(99),
    source: fc.constantFrom<Source>('agent', 'agent', 'user', 'validator'),
    values: fc.array(fc.option(fc.nat(3), { freq: 2 }), { minLength: 3, maxLength: 3 }),
    against: fc.array(fc.record({ pick: fc.nat(99), field: fc.nat(2) }), { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 3, maxLength: 16, size: 'max' },
)
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never

/** Plays a step, of which the naive reading hears; links of repeats are left out, and so are fields that are not shared. */
function play(
  world: World,
  { pick, source, values, against, isRepeat }: Steps[number],
  n: number,
  naive?: Naive,
) {
  const { ids } = world
  const again = isRepeat ? ids[pick % ids.length] : undefined
  const id = again ?? memoryId(n)
  const said = FIELDS.flatMap((field, i) => (values[i] == null ? [] : [[field, values[i]] as const]))
  const payload: JsonObject = said.length === 0 ? { price: 0 } : Object.fromEntries(said)
  const pointers = against.flatMap(({ pick: which, field }) => {
    const [target, name = ''] = [ids[which % ids.length], FIELDS[field]]
    const isShared = target !== undefined && name in payload && name in (world.textOf(target).payload ?? {})
    return isShared && again === undefined ? [claimOfField(target, name)] : []
  })
  // No two texts are sure to speak of the same thing: what is decided here follows from the fields.
  const fresh = { text: { subject: id, payload }, contextId: 'fact:c' }
  const links = { contradicts: [...new Set(pointers)] }
  world.state(id, source, links, again === undefined ? fresh : undefined)
  naive?.state(id, payload, source, links.contradicts)
}

/** What the claims say of each field of each memory, by the rank of its source and the value that stands for it. */
function told({ table, texts }: Pick<World, 'table' | 'texts'>) {
  return [...texts].flatMap(([id, { payload = {} }]) =>
    Object.keys(payload).map((field) => {
      const claim = table.get(table.parts(id).find((part) => fieldOf(part) === field) ?? id)
      if (claim === undefined) throw new Error(`There is no claim of ${id}.`)
      return {
        cell: `${id} ${field}`,
        by: claim.supersededBy.map(memoryOf).sort(),
        open: [...table.opponents(claim.id)].map(memoryOf).sort(),
        rank: rankOf(sourceOf(claim)),
        value: texts.get(memoryOf(holderOf(id, folded(field), table)))?.payload?.[field],
      }
    }),
  )
}

describe('random histories of fields, by pointers', () => {
  it(
    'each field says what the rules for pointers and repeats, read by fields alone, make of it',
    () => {
      const property = fc.property(steps, (history) => {
        const [world, naive] = [new World(), new Naive()]
        for (const [i, step] of history.entries()) {
          play(world, step, i, naive)
          const expected = naive.cells.map((cell) => ({
            cell: `${cell.memory} ${cell.field}`,
            by: cell.by.map(({ memory }) => memory).sort(),
            open: [...cell.open].map(({ memory }) => memory).sort(),
            rank: cell.rank,
            value: naive.present(cell).value,
          }))
          expect(told(world)).toEqual(expected)
        }
      })
      fc.assert(property, { numRuns })
    },
    timeout,
  )

  it(
    'with erasures, the kept decisions make the same claims, and name none that was erased',
    () => {
      const property = fc.property(steps, (history) => {
        const world = new World()
        for (const [i, step] of history.entries()) {
          const [gone, other] = [world.ids[step.pick % world.ids.length], world.ids[i % world.ids.length]]
          if (!step.isErasure || gone === undefined || other === undefined) {
            play(world, step, i)
            continue
          }
          world.erase(...new Set([gone, other]))
          const kept = JSON.stringify([world.events, world.ids.map((id) => claimsOf(id, world.table))])
          for (const id of [gone, other]) expect(kept).not.toContain(id)
        }
        expect(told({ table: world.imported(), texts: world.texts })).toEqual(told(world))
      })
      fc.assert(property, { numRuns })
    },
    timeout,
  )

  it(
    'of a field that was replaced again and again, whatever is erased, the last value that is left stands',
    () => {
      const chain = fc.array(fc.record({ first: fc.boolean(), more: fc.boolean(), goes: fc.nat(99) }), {
        minLength: 2,
        maxLength: 7,
      })
      const property = fc.property(chain, fc.boolean(), (links, isAlone) => {
        const world = new World()
        const ids: MemoryId[] = []
        for (const [i, { first, more }] of [{ first: true, more: !isAlone }, ...links].entries()) {
          const payload = { price: i, ...(more && { [`size${i}`]: i }) }
          const target = ids.at(first ? 0 : -1)
          const contradicted = target === undefined ? [] : [claimOfField(target, 'price')]
          ids.push(memoryId(i))
          const text = { subject: `${i}`, payload }
          world.state(memoryId(i), 'agent', { contradicts: contradicted }, { text, contextId: 'fact:c' })
        }
        for (const { goes } of links.slice(1)) {
          world.erase(...ids.splice(goes % ids.length, 1))
          const last = world.textOf(ids.at(-1) ?? '').payload?.['price']
          for (const { cell, value } of told(world))
            if (cell.endsWith('price')) expect(value, cell).toBe(last)
        }
      })
      fc.assert(property, { numRuns })
    },
    timeout,
  )
})
