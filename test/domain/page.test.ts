import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastPage, pageOf } from '../../src/domain/page.js'

const list = fc.array(fc.integer(), { maxLength: 60 })
const size = fc.integer({ min: 1, max: 20 })

describe('pages of a list', () => {
  test('together are the list, in order, nothing twice', () => {
    fc.assert(
      fc.property(list, size, (all, pageSize) => {
        const pages = Array.from({ length: lastPage(all.length, pageSize) + 1 }, (_, page) =>
          pageOf(all, { page, pageSize }),
        )
        expect(pages.flatMap(({ items }) => items)).toEqual(all)
      }),
    )
  })

  test('say the total of the list and which page they are', () => {
    fc.assert(
      fc.property(list, fc.nat(100), size, (all, page, pageSize) => {
        expect(pageOf(all, { page, pageSize })).toMatchObject({ total: all.length, page, pageSize })
      }),
    )
  })

  test('are full but for the last', () => {
    fc.assert(
      fc.property(list, size, fc.nat(100), (all, pageSize, n) => {
        const last = lastPage(all.length, pageSize)
        const page = n % (last + 1)
        const { items } = pageOf(all, { page, pageSize })
        if (page < last) expect(items).toHaveLength(pageSize)
        else expect(items).toHaveLength(all.length - last * pageSize)
      }),
    )
  })

  test('past the end are empty', () => {
    fc.assert(
      fc.property(list, size, fc.integer({ min: 1, max: 1_000_000 }), (all, pageSize, beyond) => {
        const page = lastPage(all.length, pageSize) + beyond
        expect(pageOf(all, { page, pageSize }).items).toEqual([])
      }),
    )
    expect(pageOf(['a'], { page: 1_000_000, pageSize: 500 })).toEqual({
      items: [],
      total: 1,
      page: 1_000_000,
      pageSize: 500,
    })
  })
})

describe('the last page', () => {
  test.each([
    [0, 100, 0],
    [1, 100, 0],
    [100, 100, 0],
    [101, 100, 1],
    [200, 100, 1],
    [5, 1, 4],
  ])('of %i by %i is page %i', (total, pageSize, page) => expect(lastPage(total, pageSize)).toBe(page))
})
