import { describe, expect, it } from 'vitest'
import { casesIn, judge } from './cases.js'

describe.each(['sequences', 'open', 'weaker'])('%s', (file) => {
  const cases = casesIn(`./${file}.json`).filter(({ expect_at }) => expect_at === undefined)

  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const { verdict, why } = await judge(one)
    expect(verdict, why.join('; ')).toBe('right')
  })
})
