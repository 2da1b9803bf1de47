import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toEntry } from '../../../src/domain/insight/entry.js'
import { expansionOf } from '../../../src/domain/insight/pool.js'
import { analyse } from '../../../src/domain/insight/query.js'
import { TextCache } from '../../../src/domain/text-cache.js'
import { memoryOf } from './support.js'

const entry = (text: string) => toEntry(memoryOf({ text }, { contextId: 'a:b' }), new TextCache())
const taught = (text: string, score = 1) => ({ entry: entry(text), score })
const ALIKE = () => 1

describe('the expansion that words keep', () => {
  test('is what the best memories say besides, together worth 1', () => {
    const expansion = expansionOf(analyse('rotate'), [taught('rotate vault secrets')], (stem) =>
      stem === 'vault' || stem === 'secret' ? 1 : 0,
    )
    expect(expansion.get('vault')).toBe(0.5)
    expect(expansion.get('secret')).toBe(0.5)
  })

  test('never holds what was asked', () => {
    const expansion = expansionOf(analyse('rotate vault'), [taught('rotate vault secrets')], ALIKE)
    expect([...expansion.keys()]).not.toContain('rotat')
    expect([...expansion.keys()]).not.toContain('vault')
    expect([...expansion.keys()]).toContain('secret')
  })

  test('counts what is rare, what fits well, and what several say', () => {
    const weight = (stem: string) => (stem === 'rare' ? 3 : 1)
    const expansion = expansionOf(
      analyse('rotate'),
      [taught('rotate rare common'), taught('rotate shared', 2), taught('rotate shared weak', 0.5)],
      weight,
    )
    const worth = (stem: string) => expansion.get(stem) ?? 0
    expect(worth('rare')).toBeGreaterThan(worth('common'))
    expect(worth('share')).toBeGreaterThan(worth('common'))
    expect(worth('common')).toBeGreaterThan(worth('weak'))
  })

  test('a third occurrence adds nothing', () => {
    const twice = expansionOf(analyse('x'), [taught('key key lock')], ALIKE)
    const often = expansionOf(analyse('x'), [taught('key key key key lock')], ALIKE)
    expect(often).toEqual(twice)
  })

  test('is the best twelve, ties by spelling', () => {
    const words = 'zulu yankee xray whiskey victor uniform tango sierra romeo quebec papa oscar november mike'
    const expansion = expansionOf(analyse('rotate'), [taught(words)], (stem) => (stem.length > 1 ? 1 : 0))
    expect(expansion.size).toBe(12)
    expect([...expansion.keys()]).toEqual([...expansion.keys()].sort())
  })

  test('nobody to learn from, nothing learned', () => {
    expect(expansionOf(analyse('rotate'), [], ALIKE).size).toBe(0)
    expect(expansionOf(analyse('rotate'), [taught('rotate vault')], () => 0).size).toBe(0)
  })

  test('sums up to 1 whatever it is made of', () => {
    const text = fc
      .array(fc.constantFrom('key', 'lock', 'door', 'hinge', 'rotate', 'vault'), { minLength: 1 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const expansion = expansionOf(
          analyse('rotate'),
          texts.map((one) => taught(one)),
          ALIKE,
        )
        const whole = [...expansion.values()].reduce((sum, value) => sum + value, 0)
        expect(whole).toBeCloseTo(1, 10)
      }),
    )
  })
})
