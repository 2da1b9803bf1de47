import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SOURCES, type Source } from '../../../src/domain/model.js'
import { assess, bearsOn, SAME_SUBJECT, type Statement, statusOf } from '../../../src/domain/trust/trust.js'

const PRIORS = { validator: 0.9, executor: 0.8, user: 0.7, agent: 0.6, system: 0.5 }

type Said = 'agrees' | Source | `contested ${Source}`

/** Voices in order of recording, seq 1, 2, …; a contradiction is by the memory `m<seq>`. */
function voices(...said: Said[]): Statement[] {
  return said.map((what, i) => {
    const seq = i + 1
    if (what === 'agrees') return { kind: 'agrees', seq }
    const contested = what.startsWith('contested ')
    return {
      kind: 'contradicts',
      seq,
      by: `m${seq}`,
      source: what.replace('contested ', '') as Source,
      contested,
    }
  })
}

function times(n: number, what: Said): Said[] {
  return Array(n).fill(what)
}

function confidence(source: Source, ...said: Said[]): number {
  return assess(source, voices(...said)).confidence
}

const source = fc.constantFrom(...SOURCES)
const disagreement = fc.oneof(
  source,
  source.map((by): Said => `contested ${by}`),
)
const said = fc.array(fc.oneof(fc.constant<Said>('agrees'), disagreement), { maxLength: 15 })

describe('confidence', () => {
  test.each(Object.entries(PRIORS))('of a memory by a %s that nobody spoke of is %d', (by, prior) => {
    expect(assess(by as Source, [])).toEqual({
      confidence: prior,
      supersededBy: [],
      disputedBy: [],
      agreement: 0,
      supersededAt: undefined,
    })
  })

  test('there is a prior for every source', () => {
    expect(Object.keys(PRIORS).sort()).toEqual([...SOURCES].sort())
  })

  test('rises by 0.05 for each later memory that agrees', () => {
    expect([0, 1, 2, 3, 4].map((n) => confidence('agent', ...times(n, 'agrees')))).toEqual([
      0.6, 0.65, 0.7, 0.75, 0.8,
    ])
  })

  test('counts at most 4 agreements, and still says how many there are', () => {
    expect(confidence('agent', ...times(5, 'agrees'))).toBe(0.8)
    expect(assess('agent', voices(...times(100, 'agrees')))).toMatchObject({
      confidence: 0.8,
      agreement: 100,
    })
  })

  test('falls by 0.10 for each later memory that contradicts', () => {
    expect([0, 1, 2, 3].map((n) => confidence('user', ...times(n, 'system')))).toEqual([0.7, 0.6, 0.5, 0.4])
  })

  test('falls for a contradiction that supersedes, and for a contested one, alike', () => {
    expect(confidence('user', 'validator')).toBe(0.6)
    expect(confidence('user', 'contested validator')).toBe(0.6)
  })

  test('the cap on agreements is on agreements alone: a contradiction still counts against four', () => {
    expect(confidence('agent', ...times(10, 'agrees'), 'system')).toBe(0.7)
  })

  test('never exceeds 0.99', () => {
    expect(confidence('validator', 'agrees')).toBe(0.95)
    expect(confidence('validator', ...times(2, 'agrees'))).toBe(0.99)
    expect(confidence('executor', ...times(4, 'agrees'))).toBe(0.99)
  })

  test('never falls below 0.2', () => {
    expect(confidence('system', ...times(3, 'system'))).toBe(0.2)
    expect(confidence('validator', ...times(50, 'system'))).toBe(0.2)
  })

  test('the bounds are put on the sum, not on each step', () => {
    expect(confidence('validator', ...times(4, 'agrees'), 'system')).toBe(0.99)
    expect(confidence('validator', ...times(4, 'agrees'), ...times(2, 'system'))).toBe(0.9)
    expect(confidence('system', ...times(6, 'system'), ...times(4, 'agrees'))).toBe(0.2)
  })

  test('does not depend on the order in which they spoke', () => {
    fc.assert(
      fc.property(
        source,
        said,
        (by, heard) => confidence(by, ...heard) === confidence(by, ...heard.toReversed()),
      ),
    )
  })

  test('is always an exact number of hundredths within its bounds', () => {
    fc.assert(
      fc.property(source, said, (by, heard) => {
        const value = confidence(by, ...heard)
        expect(value).toBe(Number(value.toFixed(2)))
        expect(value).toBeGreaterThanOrEqual(0.2)
        expect(value).toBeLessThanOrEqual(0.99)
      }),
    )
  })

  test('an agreement never lowers it, wherever it falls', () => {
    fc.assert(
      fc.property(source, said, fc.nat(), (by, heard, at) => {
        const more = heard.toSpliced(at % (heard.length + 1), 0, 'agrees')
        expect(confidence(by, ...more)).toBeGreaterThanOrEqual(confidence(by, ...heard))
      }),
    )
  })

  test('a contradiction never raises it, wherever it falls', () => {
    fc.assert(
      fc.property(source, said, disagreement, fc.nat(), (by, heard, against, at) => {
        const more = heard.toSpliced(at % (heard.length + 1), 0, against)
        expect(confidence(by, ...more)).toBeLessThanOrEqual(confidence(by, ...heard))
      }),
    )
  })
})

describe('supersession', () => {
  test.each(
    SOURCES.flatMap((by) => SOURCES.map((against) => [by, against, PRIORS[against] >= PRIORS[by]] as const)),
  )('a %s contradicted by a %s is superseded: %s', (by, against, superseded) => {
    const found = assess(by, voices(against))
    expect(found.supersededBy).toEqual(superseded ? ['m1'] : [])
    expect(found.disputedBy).toEqual(superseded ? [] : ['m1'])
    expect(statusOf(found, false)).toBe(superseded ? 'superseded' : 'current')
  })

  test('a prior equal to the confidence replaces, a prior one step below does not', () => {
    expect(assess('agent', voices('agrees', 'agrees', 'user')).supersededBy).toEqual(['m3'])
    expect(assess('agent', voices('agrees', 'agrees', 'agrees', 'user'))).toMatchObject({
      supersededBy: [],
      disputedBy: ['m4'],
    })
  })

  test('no rounding error decides: 0.6 and four agreements are exactly an executor', () => {
    expect(assess('agent', voices(...times(4, 'agrees'), 'executor')).supersededBy).toEqual(['m5'])
    expect(assess('system', voices(...times(4, 'agrees'), 'user')).supersededBy).toEqual(['m5'])
  })

  test('0.99 is more than any prior: nothing replaces what it bounds', () => {
    expect(assess('validator', voices('agrees', 'agrees', 'validator')).disputedBy).toEqual(['m3'])
  })

  test('what is weighed is the confidence before that contradiction, later agreements left out', () => {
    expect(assess('agent', voices('agent', ...times(4, 'agrees')))).toMatchObject({
      supersededBy: ['m1'],
      confidence: 0.7,
    })
  })

  test('an earlier contradiction lowers what the next one has to reach', () => {
    expect(assess('user', voices('agent'))).toMatchObject({ supersededBy: [], disputedBy: ['m1'] })
    expect(assess('user', voices('agent', 'agent'))).toMatchObject({
      supersededBy: ['m2'],
      disputedBy: ['m1'],
    })
  })

  test('the time of it is that of the first one that replaced', () => {
    expect(assess('user', voices('system', 'validator', 'validator'))).toMatchObject({
      supersededBy: ['m2', 'm3'],
      supersededAt: 2,
    })
  })

  test('with no contradiction nothing is superseded, however often it was agreed with', () => {
    fc.assert(
      fc.property(source, fc.nat(20), (by, n) => {
        expect(assess(by, voices(...times(n, 'agrees')))).toMatchObject({
          supersededBy: [],
          disputedBy: [],
          supersededAt: undefined,
          agreement: n,
        })
      }),
    )
  })

  test('every contradiction either replaces or disputes, never both, in order of recording', () => {
    fc.assert(
      fc.property(source, said, (by, heard) => {
        const found = assess(by, voices(...heard))
        const against = heard.flatMap((what, i) => (what === 'agrees' ? [] : [`m${i + 1}`]))
        const bySeq = (a: string, b: string) => Number(a.slice(1)) - Number(b.slice(1))
        expect([...found.supersededBy, ...found.disputedBy].sort(bySeq)).toEqual(against)
        expect([...found.supersededBy].sort(bySeq)).toEqual(found.supersededBy)
        expect([...found.disputedBy].sort(bySeq)).toEqual(found.disputedBy)
        expect(found.supersededAt).toBe(
          found.supersededBy[0] === undefined ? undefined : Number(found.supersededBy[0].slice(1)),
        )
      }),
    )
  })
})

describe('a contradiction that is contradicted in its turn', () => {
  test('settles nothing: what it bore on is open again', () => {
    expect(assess('agent', voices('validator')).supersededBy).toEqual(['m1'])
    const reopened = assess('agent', voices('contested validator'))
    expect(reopened).toMatchObject({ supersededBy: [], disputedBy: ['m1'], supersededAt: undefined })
    expect(statusOf(reopened, false)).toBe('current')
  })

  test('the later memory settles it when it contradicts the first one too', () => {
    expect(assess('agent', voices('contested validator', 'agent'))).toMatchObject({
      supersededBy: ['m2'],
      disputedBy: ['m1'],
      supersededAt: 2,
    })
  })

  test('never supersedes, whoever says it and whatever else was said', () => {
    fc.assert(
      fc.property(source, said, (by, heard) => {
        const { supersededBy } = assess(by, voices(...heard))
        for (const id of supersededBy) expect(heard[Number(id.slice(1)) - 1]).not.toMatch(/^contested/)
      }),
    )
  })
})

describe('status', () => {
  const fresh = assess('agent', [])
  const replaced = assess('agent', voices('agent'))

  test('is current when nothing stands against it', () => expect(statusOf(fresh, false)).toBe('current'))
  test('is stale when it builds on what was replaced', () => expect(statusOf(fresh, true)).toBe('stale'))
  test('is superseded when it was replaced', () => expect(statusOf(replaced, false)).toBe('superseded'))
  test('is superseded rather than stale when it is both', () =>
    expect(statusOf(replaced, true)).toBe('superseded'))
})

describe('what a contradiction of a context bears on', () => {
  test('nothing, when the context has no earlier memory', () => expect(bearsOn([])).toEqual([]))

  test('every memory that speaks of the same thing', () => {
    expect(bearsOn([0.9, 0.1, SAME_SUBJECT + 0.01, SAME_SUBJECT - 0.01, 1])).toEqual([0, 2, 4])
  })

  test('the threshold itself is enough', () => expect(bearsOn([SAME_SUBJECT, 1])).toEqual([0, 1]))

  test('always the closest one, even when none is close', () => {
    expect(bearsOn([0.05, 0.2, 0.1])).toEqual([1])
    expect(bearsOn([0])).toEqual([0])
  })

  test('the latest of equally close ones', () => {
    expect(bearsOn([0.1, 0.1, 0])).toEqual([1])
    expect(bearsOn([0, 0, 0])).toEqual([2])
  })

  test('holds the closest and all above the threshold, once each and in order', () => {
    const likeness = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(likeness, (values) => {
        const borne = bearsOn(values)
        expect(borne.map((i) => values[i])).toContain(Math.max(...values))
        expect(borne).toEqual([...new Set(borne)].sort((a, b) => a - b))
        values.forEach((value, i) => {
          if (value >= SAME_SUBJECT) expect(borne).toContain(i)
        })
        if (borne.length > 1) for (const i of borne) expect(values[i]).toBeGreaterThanOrEqual(SAME_SUBJECT)
      }),
    )
  })
})
