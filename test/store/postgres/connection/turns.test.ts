import { expect, test } from 'vitest'
import { Turns } from '../../../../src/store/postgres/connection/turns.js'

test('so many at once, the others in order; one that fails gives its turn on', async () => {
  const turns = new Turns(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (i: number) =>
    turns.run(async () => {
      begun.push(i)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (i === 0) throw new Error('It failed.')
      return i
    })
  const all = [0, 1, 2, 3].map(work)
  const failed = expect(all[0]).rejects.toThrow('It failed.')
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  ends[0]?.()
  await failed
  expect(begun).toEqual([0, 1, 2])
  ends[1]?.()
  expect(await all[1]).toBe(1)
  expect(begun).toEqual([0, 1, 2, 3])
  ends[2]?.()
  ends[3]?.()
  expect(await Promise.all(all.slice(2))).toEqual([2, 3])
})

test('one whose turn does not come in time gives up, and nobody waits behind it', async () => {
  const turns = new Turns(1)
  let end: (() => void) | undefined
  const first = turns.run(() => new Promise<void>((resolve) => (end = resolve)))
  const late = turns.run(async () => 'late', { ms: 5, late: () => new Error('Too late.') })
  const patient = turns.run(async () => 'patient', { ms: 60_000, late: () => new Error('Too late.') })
  await expect(late).rejects.toThrow('Too late.')
  end?.()
  await first
  expect(await patient).toBe('patient')
  expect(await turns.run(async () => 'next')).toBe('next')
})
