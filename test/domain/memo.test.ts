import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Memo } from '../../src/domain/memo.js'

describe('a memo', () => {
  test('forgets what was not asked for, and keeps what was', () => {
    const memo = new Memo<number, string>(4)
    memo.set(0, 'kept')
    for (let i = 1; i < 20; i++) {
      memo.set(i, String(i))
      expect(memo.get(0)).toBe('kept')
    }
    expect(memo.get(1)).toBeUndefined()
    expect(memo.get(19)).toBe('19')
  })

  test('what would take half of the room by itself and more is not kept', () => {
    const memo = new Memo<string, string>(10, ({ length }) => length)
    memo.set('a', 'short')
    memo.set('b', 'longer')
    expect(memo.get('a')).toBe('short')
    expect(memo.get('b')).toBeUndefined()
  })

  test('a value that is set again counts once', () => {
    const memo = new Memo<string, string>(10)
    memo.set('kept', 'kept')
    for (let i = 0; i < 20; i++) memo.set('again', String(i))
    expect(memo.get('kept')).toBe('kept')
  })

  test('whatever is asked, it never answers with anything but what was last put in', () => {
    const step = fc.record({ key: fc.nat(8), value: fc.option(fc.nat(9), { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const memo = new Memo<number, number>(12, (value) => value)
        const all = new Map<number, number>()
        for (const { key, value } of steps) {
          if (value !== undefined) {
            memo.set(key, value)
            all.set(key, value)
          }
          expect([undefined, all.get(key)]).toContain(memo.get(key))
        }
      }),
    )
  })
})
