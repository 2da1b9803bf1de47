import { describe, expect, it } from 'vitest'
import { casesIn, judge, type Verdict } from './cases.js'

describe.each(['sequences', 'open', 'sources'])('%s', (file) => {
  const cases = casesIn(`./${file}.json`)

  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const { verdict, why } = await judge(one)
    expect(verdict, why.join('; ')).toBe('right')
  })
})

describe('what strangers wrote, kept aside until the rules were done', () => {
  it('loses next to nothing, says most as a person would, and asks for the rest', async () => {
    const cases = ['aside-1', 'aside-2'].flatMap((file) => casesIn(`./${file}.json`))
    const undated = cases.filter(({ expect_at }) => expect_at === undefined)
    const verdicts = (await Promise.all(undated.map(judge))).map(({ verdict }) => verdict)
    const share = (...wanted: Verdict[]) =>
      verdicts.filter((one) => wanted.includes(one)).length / verdicts.length
    expect(share('lost')).toBeLessThan(0.01)
    expect(share('right')).toBeGreaterThan(0.72)
    expect(share('right', 'asked')).toBeGreaterThan(0.98)
  })

  it('with dates, too', async () => {
    const cases = ['aside-2', 'aside-3'].flatMap((file) => casesIn(`./${file}.json`))
    const dated = cases.filter(({ expect_at }) => expect_at !== undefined)
    const verdicts = (await Promise.all(dated.map(judge))).map(({ verdict }) => verdict)
    const share = (...wanted: Verdict[]) =>
      verdicts.filter((one) => wanted.includes(one)).length / verdicts.length
    expect(dated).toHaveLength(72)
    expect(share('right')).toBeGreaterThan(0.78)
    expect(share('right', 'asked')).toBeGreaterThan(0.93)
  })
})
