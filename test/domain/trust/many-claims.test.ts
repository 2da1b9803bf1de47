import { describe, expect, it } from 'vitest'
import { Changes } from '../../../src/domain/trust/claims/changes.js'
import { type Claim, freshClaim } from '../../../src/domain/trust/claims/types.js'
import { ClaimsAt } from '../../../src/domain/trust/claims-at.js'
import { record } from '../../../src/domain/trust/record.js'
import { ClaimTable } from '../../../src/domain/trust/table.js'
import { memoryId, World } from './world.js'

describe('claims that were never spoken of', () => {
  it('need not be kept when a row can make them again', () => {
    const world = new World()
    world.state(memoryId(1), 'agent', {}, { text: { subject: 's', says: '1' }, contextId: 'fact:c' })
    world.texts.set(memoryId(2), { subject: 's', says: '2' })
    const table = new ClaimTable((id) => (id === memoryId(1) ? fresh() : undefined))
    const changes = new Changes(table)
    record(
      { ...statement(2), first: true, links: [{ kind: 'contradiction', target: memoryId(1) }] },
      changes,
      world.judgement,
    )
    table.commit(changes)
    expect(table.get(memoryId(1))?.supersededBy).toEqual([memoryId(2)])
  })
})

describe('T8: a thousand open contradictions', () => {
  it('cost the next one no look at any of them', () => {
    const world = new World()
    world.state(memoryId(1), 'validator', {}, { text: { subject: 's', says: '0' }, contextId: 'fact:c' })
    for (let n = 2; n <= 1001; n++)
      world.state(
        memoryId(n),
        'agent',
        { contradicts: [memoryId(1)] },
        { text: { subject: 's', says: '1' }, contextId: 'fact:c' },
      )
    expect(world.table.get(memoryId(1))?.disputes).toBe(1000)
    expect(world.assess(memoryId(1)).confidence).toBe(0.6)
    const asked: string[] = []
    const changes = new Changes({
      get: (id) => world.table.get(id),
      parts: () => [],
      opponents: (id) => {
        asked.push(id)
        return world.table.opponents(id)
      },
      supersedes: () => new Set(),
      standing: () => [],
    })
    world.texts.set(memoryId(1002), { subject: 's', says: '1' })
    const links = [{ kind: 'contradiction' as const, target: memoryId(1) }]
    record({ ...statement(1002), first: true, links }, changes, world.judgement)
    expect(asked).toEqual([])
    expect(changes.claims.size).toBe(2)
  })
})

describe('T8: a chain of three thousand open contradictions', () => {
  it('is read, however long', () => {
    const world = new World()
    const [validated, agent] = [(i: number) => memoryId(2 * i + 1), (i: number) => memoryId(2 * i + 2)]
    const say = (id: string, source: 'validator' | 'agent', contradicts: string[]) =>
      world.state(
        id,
        source,
        { contradicts },
        { text: { subject: 's', says: source }, contextId: `fact:${id}` },
      )
    say(validated(0), 'validator', [])
    for (let i = 0; i < 1500; i++) {
      say(validated(i + 1), 'validator', [])
      say(agent(i), 'agent', [validated(i), validated(i + 1)])
    }
    const now = new ClaimsAt(world.table, world.table, {
      place: Number.POSITIVE_INFINITY,
      at: '2026-01-01T00:00:00.000Z',
    })
    expect(now.get(validated(0))?.disputes).toBe(1)
    expect(now.get(agent(0))?.disputes).toBe(2)
  })
})

function statement(n: number) {
  return {
    place: n,
    claim: memoryId(n),
    contextId: 'fact:c',
    source: 'agent' as const,
    recordedAt: '2026-01-01T00:00:00.000Z',
    from: '2026-01-01T00:00:00.000Z',
  }
}

function fresh(): Claim {
  return freshClaim(statement(1))
}
