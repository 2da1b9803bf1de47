import { expect, test } from 'vitest'
import { keyOf } from '../../../src/http/pipeline/bearer.js'

test('a secret is one key, however it is written, and so is everything that is none', () => {
  const keys = ['Bearer abc', 'bearer abc', 'BEARER   abc '].map((authorization) =>
    keyOf({ headers: { authorization } }),
  )
  expect(new Set(keys)).toEqual(new Set(['abc']))
  const none = [undefined, 'Basic a', 'Basic b', 'Bearer'].map((authorization) =>
    keyOf({ headers: authorization === undefined ? {} : { authorization } }),
  )
  expect(new Set(none)).toEqual(new Set(['']))
})
