import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shortened, shortName } from '../../../src/domain/brief/shorten.js'

describe('a text is shortened', () => {
  test('not at all when it fits', () => expect(shortened('Use vitest', 10)).toBe('Use vitest'))

  test('at the end of a clause', () =>
    expect(shortened('Use vitest for all packages; it runs TypeScript and starts quickly', 40)).toBe(
      'Use vitest for all packages …',
    ))

  test('at a word where no clause ends in time', () =>
    expect(shortened('Memoising the product list cut its render time by a lot', 30)).toBe(
      'Memoising the product list …',
    ))

  test('within a word where there is none, and no character is cut in two', () => {
    expect(shortened('x'.repeat(50), 20)).toBe(`${'x'.repeat(18)} …`)
    expect(shortened('😀'.repeat(50), 21)).toBe(`${'😀'.repeat(9)} …`)
  })

  test('never so that a condition or a negation is lost', () => {
    const rule = 'Deploy on Fridays as on any other day, but not in the week before a holiday'
    expect(shortened(rule, 45)).toBe(rule)
    expect(shortened('The cache is safe to clear at any time unless a deploy is running', 40)).toContain(
      'unless',
    )
  })

  test('to 400 characters in any case', () => {
    expect(shortened(`${'not this, '.repeat(200)}`, 100).length).toBeLessThanOrEqual(400)
    fc.assert(
      fc.property(fc.string({ maxLength: 1000 }), fc.integer({ min: 20, max: 400 }), (text, most) => {
        expect(shortened(text, most).length).toBeLessThanOrEqual(400)
      }),
    )
  })
})

test('a name is cut to 60 characters', () => {
  expect(shortName('skill:react_hooks')).toBe('skill:react_hooks')
  expect(shortName(`file:${'a'.repeat(200)}`)).toHaveLength(60)
})
