import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Changes } from '../../../src/domain/trust/claims/changes.js'
import { type Claim, freshClaim } from '../../../src/domain/trust/claims/types.js'
import { missing, record } from '../../../src/domain/trust/record.js'
import { ClaimTable } from '../../../src/domain/trust/table.js'
import { runsOf } from '../../support/runs.js'
import { play, steps } from './histories.js'
import { memoryId, World } from './world.js'

const numRuns = runsOf({ quick: 60, full: 2000 }, 'MODEL_RUNS')
const nothing = { state: () => {}, erase: () => {} }

describe('T8: a store that loads what an event asks for', () => {
  it('decides and changes the same as one that holds everything', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const world = new World()
        const counter = { memories: 0 }
        for (const step of history.slice(0, -1)) play(world, step, nothing, counter)
        const { table } = world
        const rows = new Map(world.ids.map((id) => [id, table.get(id)]))
        const open = new Map(world.ids.map((id) => [id, [...table.opponents(id)]]))
        const standing = new Map(['fact:0', 'fact:1'].map((context) => [context, table.standing(context)]))
        const count = world.events.length
        const last = history.at(-1)
        if (last !== undefined) play(world, { ...last, what: Math.max(last.what, 3) }, nothing, counter)
        const event = world.events[count]
        if (event === undefined) return
        const { decisions, ...statement } = event
        const claims = new Map<string, Claim | undefined>()
        const opponents = new Map<string, string[]>()
        const contexts = new Map<string, readonly string[]>()
        const loaded = {
          get: (id: string) => claims.get(id),
          opponents: (id: string) => opponents.get(id),
          standing: (id: string) => contexts.get(id),
        }
        for (let rounds = 0; ; rounds++) {
          const needs = missing(statement, loaded, world.judgement)
          if (needs === undefined) break
          expect(rounds).toBeLessThan(40)
          for (const id of needs.claims) claims.set(id, rows.get(id))
          for (const id of needs.opponents) opponents.set(id, open.get(id) ?? [])
          for (const id of needs.contexts) contexts.set(id, standing.get(id) ?? [])
        }
        const changes = new Changes({
          get: loaded.get,
          opponents: (id) => opponents.get(id) ?? [],
          standing: (id) => contexts.get(id) ?? [],
        })
        expect(record(statement, changes, world.judgement).decisions).toEqual(decisions)
        for (const [id, claim] of changes.claims) expect(claim).toEqual(table.get(id))
        for (const id of world.ids) if (!changes.claims.has(id)) expect(table.get(id)).toEqual(rows.get(id))
      }),
      { numRuns },
    )
  }, 120_000)
})

describe('claims that were never spoken of', () => {
  it('need not be kept when a row can make them again', () => {
    const world = new World()
    world.state(memoryId(1), 'agent', {}, { text: { subject: 's', says: '1' }, contextId: 'fact:c' })
    const table = new ClaimTable((id) => (id === memoryId(1) ? fresh() : undefined))
    const changes = new Changes(table)
    record(
      { ...statement(2), first: true, links: [{ kind: 'contradiction', target: memoryId(1) }] },
      changes,
      {
        sameThing: () => true,
        saysTheSame: () => false,
      },
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
      opponents: (id) => {
        asked.push(id)
        return world.table.opponents(id)
      },
      standing: () => [],
    })
    const links = [{ kind: 'contradiction' as const, target: memoryId(1) }]
    record({ ...statement(1002), first: true, links }, changes, world.judgement)
    expect(asked).toEqual([])
    expect(changes.claims.size).toBe(2)
  })
})

function statement(n: number) {
  return {
    place: n,
    claim: memoryId(n),
    contextId: 'fact:c',
    source: 'agent' as const,
    recordedAt: '2026-01-01T00:00:00.000Z',
  }
}

function fresh(): Claim {
  return freshClaim(statement(1))
}
