import { expect } from 'vitest'

const TRIES = 5

/** Fails unless one of some tries stays below the limit: what else a machine does only ever adds to a measurement. */
export async function expectBelow(limit: number, measure: () => Promise<number>, what = ''): Promise<void> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && best >= limit; tries++) best = Math.min(best, await measure())
  expect(best, what).toBeLessThan(limit)
}
