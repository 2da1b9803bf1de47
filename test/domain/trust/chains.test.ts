import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.js'
import { refuseBothWays } from '../../../src/domain/links.js'
import { SOURCES, type Source } from '../../../src/domain/model.js'
import { rankOf } from '../../../src/domain/trust/claims/rank.js'
import { effectsOf } from '../../../src/domain/trust/record.js'
import { type Links, memoryId, World } from './world.js'

const id = memoryId
const lengths = Array.from({ length: 18 }, (_, i) => i + 3)
const pairs = SOURCES.flatMap((a) => SOURCES.map((b) => [a, b] as const))

/** Records memory `n`, which says something of its own about the subject. */
function record(world: World, n: number, links: Links = {}, source: Source = 'agent', subject = 's') {
  return world.state(id(n), source, links, { text: { subject, says: `${n}` }, contextId: 'fact:c' })
}

function chain(length: number): World {
  const world = new World()
  for (let n = 1; n <= length; n++) record(world, n, n === 1 ? {} : { contradicts: [id(n - 1)] })
  return world
}

function standing(world: World): string[] {
  return world.ids.filter((each) => world.statusOf(each) !== 'superseded')
}

describe('T3: chains', () => {
  it.each(lengths)('of %i corrections: the last alone stands', (length) => {
    expect(standing(chain(length))).toEqual([id(length)])
  })

  it.each(lengths)('of %i corrections: the first stated again alone stands', (length) => {
    const world = chain(length)
    world.state(id(1), 'agent')
    expect(standing(world)).toEqual([id(1)])
  })

  it.each(lengths)('of %i corrections: the last erased brings the one before it back', (length) => {
    const world = chain(length)
    world.erase(id(length))
    expect(standing(world)).toEqual([id(length - 1)])
  })

  it.each(lengths)(
    'of %i corrections: all between erased at once or one by one, the last alone stands',
    (length) => {
      const between = lengths.map((n) => n - 1).filter((n) => n < length)
      const [once, singly] = [chain(length), chain(length)]
      once.erase(...between.map(id))
      for (const n of between.reverse()) singly.erase(id(n))
      expect(standing(once)).toEqual([id(length)])
      expect(standing(singly)).toEqual([id(length)])
    },
  )
})

describe('T3: flips', () => {
  it.each([3, 4, 5, 6, 7, 8, 9])('of %i statements between two values: the last alone stands', (flips) => {
    const world = chain(2)
    for (let n = 3; n <= flips; n++) world.state(id(n % 2 === 1 ? 1 : 2), 'agent')
    expect(standing(world)).toEqual([id(flips % 2 === 1 ? 1 : 2)])
  })
})

describe('T3: every pair of sources', () => {
  it.each(pairs)('%s is contradicted by %s: superseded by its like or better, else disputed', (a, b) => {
    const world = new World()
    record(world, 1, {}, a)
    const recorded = record(world, 2, { contradicts: [id(1)] }, b)
    const wins = rankOf(b) >= rankOf(a)
    expect(world.assess(id(1))).toMatchObject({
      status: wins ? 'superseded' : 'current',
      supersededBy: wins ? [id(2)] : [],
      disputedBy: wins ? [] : [id(2)],
      source: a,
    })
    expect(world.assess(id(2)).supersedes).toEqual(wins ? [id(1)] : [])
    expect(effectsOf(recorded)).toEqual([
      { memory: id(1), effect: wins ? 'supersedes' : 'disputes', claims: [id(1)] },
    ])
  })

  it.each(pairs)('%s was corrected by a user, and %s says it again', (a, b) => {
    const world = new World()
    record(world, 1, {}, a)
    record(world, 2, { contradicts: [id(1)] }, 'user')
    const was = world.statusOf(id(1))
    world.state(id(1), b)
    const wins = rankOf(b) >= rankOf('user')
    expect(world.statusOf(id(1))).toBe(wins ? 'current' : was)
    expect(world.statusOf(id(2))).toBe(wins ? 'superseded' : 'current')
  })
})

describe('T4: cycles', () => {
  it.each([2, 3, 7])('of %i contradictions: the last word stands', (length) => {
    const world = chain(length)
    world.state(id(1), 'agent', { contradicts: [id(length)] })
    expect(standing(world)).toEqual([id(1)])
  })

  it.each([2, 3, 7])(
    'of %i extensions end: all stale when a base is superseded, none when it comes back',
    (length) => {
      const world = new World()
      record(world, 100, {}, 'agent', 'base')
      for (let n = 1; n <= length; n++)
        record(world, n, { extends: [id(n === 1 ? 100 : n - 1)] }, 'agent', `${n}`)
      world.state(id(1), 'agent', { extends: [id(length)] })
      record(world, 101, { contradicts: [id(100)] }, 'agent', 'base')
      const statuses = () => Array.from({ length }, (_, i) => world.statusOf(id(i + 1)))
      expect(new Set(statuses())).toEqual(new Set(['stale']))
      world.state(id(100), 'agent')
      expect(new Set(statuses())).toEqual(new Set(['current']))
    },
  )

  it('of extensions with no superseded base: none is stale', () => {
    const world = new World()
    record(world, 1, {}, 'agent', 'a')
    record(world, 2, { extends: [id(1)] }, 'agent', 'b')
    world.state(id(1), 'agent', { extends: [id(2)] })
    expect([world.statusOf(id(1)), world.statusOf(id(2))]).toEqual(['current', 'current'])
  })
})

describe('T2: 400: one memory in reinforces and contradicts', () => {
  const both = (target: string) => [
    { kind: 'reinforcement' as const, target },
    { kind: 'contradiction' as const, target },
  ]

  it('is refused, naming the link', () => {
    const refused = () => refuseBothWays(both(id(1)), '/body')
    expect(refused).toThrow(Failure)
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'invalid_event',
        errors: [expect.objectContaining({ path: '/body/contradicts/0' })],
      }),
    )
  })

  it('a context may be named in both', () => {
    expect(() => refuseBothWays(both('fact:c'), '/body')).not.toThrow()
  })
})

it('what reinforced a memory stays stale when that and what replaced both are erased, one after the other', () => {
  const world = new World()
  record(world, 1)
  record(world, 2, { reinforces: [id(1)] })
  record(world, 3, { contradicts: [id(2)] })
  expect(standing(world)).toEqual([id(3)])
  world.erase(id(1))
  world.erase(id(3))
  expect(world.statusOf(id(2))).toBe('stale')
})
