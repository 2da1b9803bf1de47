import { describe, expect, test } from 'vitest'
import { SHORT, simulate } from './simulation.js'

const SEEDS = 200

/** Seeds that once found a bug. */
const FOUND: readonly number[] = [9, 20, 22, 79, 93, 127, 215, 255, 889]

describe('D22: processes, faults and clients from one seed', () => {
  test(`${SEEDS} seeds keep every promise`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) await simulate(seed, SHORT)
  })

  test.each(FOUND)('seed %i', async (seed) => {
    await simulate(seed)
  })

  test('the same seed is the same history', async () => {
    const [first, second]: string[][] = [[], []]
    await simulate(7, SHORT, first)
    await simulate(7, SHORT, second)
    expect(second).toEqual(first)
  })
})
