import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SOURCES, type Source } from '../../../src/domain/model.js'
import { runsOf } from '../../support/runs.js'
import { memoryId, World } from './world.js'

interface Step {
  readonly what: number
  readonly pick: number
  readonly link: number
  readonly whole: boolean
}

const step = fc.record({ what: fc.nat(9), pick: fc.nat(999), link: fc.nat(999), whole: fc.boolean() })
const history = fc.array(step, { minLength: 2, maxLength: 20, size: 'max' })

describe('T3, T5: one subject, one source: only the last word stands', () => {
  it('whatever was said, said again or erased before', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), history, (source, steps) => {
        const world = new World()
        const counter = { memories: 0 }
        for (const each of steps) {
          play(world, source, each, counter)
          const last = world.events.at(-1)?.claim
          const standing = world.ids.filter((id) => world.table.get(id)?.superseded === undefined)
          expect(standing).toEqual(last === undefined ? [] : [last])
        }
      }),
      { numRuns: runsOf({ quick: 500, full: 5000 }) },
    )
  }, 120_000)
})

/** A new memory contradicts the context or any memory of it; each memory says something of its own. */
function play(world: World, source: Source, step: Step, counter: { memories: number }): void {
  const { ids } = world
  const any = (pick: number) => ids[pick % ids.length] ?? ''
  if (ids.length > 0 && step.what < 2) {
    world.erase(any(step.pick))
    return
  }
  const target = step.whole ? 'fact:c' : any(step.link)
  if (ids.length > 0 && step.what < 5) {
    const id = any(step.pick)
    const contradicts = step.what === 2 && target !== id ? [target] : []
    world.state(id, source, { contradicts })
    return
  }
  const id = memoryId(++counter.memories)
  const contradicts = ids.length === 0 ? [] : [target]
  world.state(id, source, { contradicts }, { text: { subject: 's', says: id }, contextId: 'fact:c' })
}
