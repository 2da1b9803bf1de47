import { expect, test } from 'vitest'
import { stemsOf } from '../../src/domain/search/text-analysis.js'
import { type MemoKind, TextCache } from '../../src/domain/text-cache.js'

const LENGTHS: MemoKind<number> = { most: 100 }
const SHORT: MemoKind<string> = { most: 10, sizeOf: ({ length }) => length }

test('a kind has one memo in each cache, with the bound of the kind', () => {
  const texts = new TextCache()
  texts.memo(LENGTHS).set('a', 1)
  texts.memo(SHORT).set('long', 'longer than half')
  expect(texts.memo(LENGTHS).get('a')).toBe(1)
  expect(texts.memo(SHORT).get('long')).toBeUndefined()
  expect(new TextCache().memo(LENGTHS).get('a')).toBeUndefined()
})

test('clear forgets everything of every kind', () => {
  const texts = new TextCache()
  texts.memo(LENGTHS).set('a', 1)
  texts.memo(SHORT).set('a', 'a')
  texts.clear()
  expect([texts.memo(LENGTHS).get('a'), texts.memo(SHORT).get('a')]).toEqual([undefined, undefined])
})

test('age forgets what was not asked for since the last time', () => {
  const texts = new TextCache()
  texts.memo(LENGTHS).set('erased', 6)
  texts.memo(LENGTHS).set('asked', 5)
  texts.age()
  expect(texts.memo(LENGTHS).get('asked')).toBe(5)
  texts.age()
  expect(texts.memo(LENGTHS).get('asked')).toBe(5)
  expect(texts.memo(LENGTHS).get('erased')).toBeUndefined()
})

test('a text is read alike with a cache and without', () => {
  const texts = new TextCache()
  const text = 'The cached useState hooks of 数据库连接'
  for (let i = 0; i < 3; i++) expect(stemsOf(text, texts)).toEqual(stemsOf(text))
})
