import { describe, expect, test } from 'vitest'
import { ringsOf } from '../../src/explorer/pictures/rings.js'
import type { Neighbourhood } from '../../src/explorer/state/types.js'

function neighbourhood(distances: readonly number[], links: readonly [number, number][] = []): Neighbourhood {
  const id = (index: number) => `leaf:${index}`
  const at = '2026-01-01T00:00:00.000Z'
  return {
    context_id: id(0),
    contexts: distances.map((distance, index) => ({
      context_id: id(index),
      context_type: 'leaf',
      context_name: String(index),
      memory_count: 1,
      distance,
    })),
    relationships: links.map(([from, to]) => ({
      from: id(from),
      to: id(to),
      kind: 'related-to',
      weight: 1,
      first_seen: at,
      last_seen: at,
    })),
    left_out: { contexts: 0, relationships: 0, unexplored: 0 },
  }
}

const radius = ({ x, y }: { x: number; y: number }) => Math.hypot(x, y)

describe('the rings of a picture', () => {
  const many = neighbourhood([
    0,
    ...Array.from({ length: 600 }, () => 1),
    ...Array.from({ length: 399 }, () => 2),
  ])

  test('the same neighbourhood gives the same picture', () => {
    expect(ringsOf(many)).toEqual(ringsOf(structuredClone(many)))
  })

  test('the context asked for is the middle, and what is further away lies further out', () => {
    const spots = ringsOf(many)
    const bands = [0, 1, 2].map((distance) =>
      many.contexts
        .filter((context) => context.distance === distance)
        .map(({ context_id }) => radius(spots.get(context_id) ?? { x: Number.NaN, y: 0 })),
    )
    expect(bands[0]).toEqual([0])
    expect(Math.max(...(bands[1] ?? []))).toBeLessThan(Math.min(...(bands[2] ?? [])))
  })

  test('no two of a thousand lie on each other', () => {
    const spots = [...ringsOf(many).values()]
    const nearest = spots.flatMap((one, index) =>
      spots.slice(index + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
    )
    expect(spots).toHaveLength(1000)
    expect(nearest.reduce((a, b) => Math.min(a, b))).toBeGreaterThan(20)
  })

  test('what is two links away lies on the side of what leads to it', () => {
    const spots = ringsOf(
      neighbourhood([0, 1, 1, 2, 2], [
        [0, 1],
        [0, 2],
        [4, 1],
        [3, 2],
      ] as const),
    )
    const side = (index: number) => Math.sign(spots.get(`leaf:${index}`)?.x ?? 0)
    expect(side(4)).toBe(side(1))
    expect(side(3)).toBe(side(2))
    expect(side(1)).not.toBe(side(2))
  })
})
