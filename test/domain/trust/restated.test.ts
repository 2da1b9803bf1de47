import { expect, test } from 'vitest'
import { isStale, staleness } from '../../../src/domain/trust/claims/staleness.js'
import { MAX_LINKED } from '../../../src/domain/trust/claims/types.js'
import { memoryId, World } from './world.js'

const contexts = (kind: string) => Array.from({ length: 50 }, (_, i) => `${kind}:${i}`)

test('E5: a state of a claim is no longer for each time that it was stated before', () => {
  const world = new World()
  const id = memoryId(1)
  const fresh = { text: { subject: 'tide' }, contextId: 'sea:tide' }
  for (const topic of [...contexts('open'), ...contexts('base')])
    world.state(memoryId(world.events.length + 2), 'user', {}, { text: { subject: topic }, contextId: topic })
  const links = { contradicts: contexts('open'), extends: contexts('base') }
  world.state(id, 'agent', links, fresh)
  const { place } = world.events.at(-1) ?? { place: 0 }
  for (let times = 1; times < 300; times++) world.state(id, 'agent', links)
  const claim = world.table.get(id)
  expect(claim).toMatchObject({ timesSeen: 300, contextId: 'sea:tide' })
  expect(claim?.against).toHaveLength(MAX_LINKED)
  expect(world.table.at(place + 150).get(id)?.wholes).toBe(claim?.wholes)
  expect(world.table.at(place + 150).get(id)?.against).toEqual([])
  expect(world.table.at(place + 150).against('open:7')).not.toEqual([])
})

test('a claim builds on so many others, and reinforces so many, at most', () => {
  const world = new World()
  const ids = Array.from({ length: MAX_LINKED + 20 }, (_, i) => memoryId(i + 2))
  for (const id of ids) world.state(id, 'user', {}, { text: { subject: id }, contextId: 'a:a' })
  world.state(memoryId(1), 'user', {}, { text: { subject: 'all' }, contextId: 'b:b' })
  for (let from = 0; from < ids.length; from += 40)
    world.state(memoryId(1), 'user', {
      extends: ids.slice(from, from + 20),
      reinforces: ids.slice(from + 20, from + 40),
    })
  for (let from = 0; from < ids.length; from += 40)
    world.state(memoryId(1), 'user', {
      extends: ids.slice(from + 20, from + 40),
      reinforces: ids.slice(from, from + 20),
    })
  const claim = world.table.get(memoryId(1))
  expect(claim?.extends).toHaveLength(MAX_LINKED)
  expect(claim?.reinforces).toHaveLength(MAX_LINKED)
})

test('E5: what many claims build on is walked once, and makes each of them as stale as by itself', () => {
  const world = new World()
  const layers = [0, 1, 2, 3].map((layer) =>
    Array.from({ length: 20 }, (_, i) => memoryId(layer * 20 + i + 1)),
  )
  for (const [at, layer] of layers.entries())
    for (const id of layer)
      world.state(
        id,
        'user',
        { extends: layers[at - 1] ?? [] },
        { text: { subject: id }, contextId: `l:${at}` },
      )
  const later = { text: { subject: memoryId(7), says: 'otherwise' }, contextId: 'l:0' }
  world.state(memoryId(99), 'user', { contradicts: [memoryId(7)] }, later)
  let asked = 0
  const bases = {
    whole: (id: string) => {
      asked++
      return world.table.whole(id)
    },
    lossOf: world.table.lossOf.bind(world.table),
    causes: new Map(),
  }
  const top = layers.at(-1) ?? []
  expect(top.map((id) => isStale(id, bases))).toEqual(top.map((id) => isStale(id, world.table)))
  expect(asked).toBeLessThan(4 * 80)
  expect(bases.causes).toEqual(staleness(top, { ...bases, causes: new Map() }))
})
