import { describe, expect, it } from 'vitest'
import { Changes } from '../../../src/domain/trust/claims/changes.js'
import type { Decisions, Opposition } from '../../../src/domain/trust/claims/types.js'
import { check } from '../../../src/domain/trust/decide/check.js'
import { memoryId, World } from './world.js'

const [first, second] = [memoryId(1), memoryId(2)]

/** An agent contradicts a validator, with decisions that the rules did not make. */
function checked(forged: Partial<Decisions>): string | undefined {
  const world = new World()
  world.state(first, 'validator', {}, { text: { subject: 's', says: '1' }, contextId: 'fact:c' })
  const before = new Changes({
    get: (id) => world.table.get(id),
    parts: () => [],
    opponents: () => [],
    supersedes: () => new Set(),
    standing: () => [],
  })
  const links = { contradicts: [first], related: ['fact:c'] }
  const honest = new World()
  honest.state(first, 'validator', {}, { text: { subject: 's', says: '1' }, contextId: 'fact:c' })
  const event = honest.state(second, 'agent', links, {
    text: { subject: 's', says: '2' },
    contextId: 'fact:c',
  })
  return check({ ...event, decisions: { ...event.decisions, ...forged } }, before)
}

describe('T6: decisions that come with an import', () => {
  it('pass when the rules made them', () => {
    expect(checked({})).toBeUndefined()
  })

  it.each([
    ['a weaker source supersedes', { opposes: [opposition('supersedes')] }],
    ['a contradiction has no effect', { opposes: [] }],
    ['a link to a memory bears on another', { bears: [[second], []] }],
    ['a link to a context bears on a memory that the event names', { bears: [[first], [first]] }],
    ['a claim that stands returns', { returns: [{ claim: first, disputed: false }] }],
    ['an unknown memory is opposed', { opposes: [{ ...opposition('noted'), against: memoryId(9) }] }],
  ] satisfies [string, Partial<Decisions>][])('are refused when %s', (_, forged) => {
    expect(checked(forged)).toEqual(expect.any(String))
  })
})

function opposition(effect: Opposition['effect']): Opposition {
  return { by: second, against: first, effect }
}
