import { expect, test } from 'vitest'
import { bearerOf } from '../../../src/http/load/lanes.js'

test('a secret is the same however it is written; everything else is none', () => {
  const secrets = ['Bearer abc', 'bearer abc', 'BEARER   abc '].map((authorization) =>
    bearerOf({ headers: { authorization } }),
  )
  expect(new Set(secrets)).toEqual(new Set(['abc']))
  const none = [undefined, 'Basic a', 'Basic b', 'Bearer'].map((authorization) =>
    bearerOf({ headers: authorization === undefined ? {} : { authorization } }),
  )
  expect(new Set(none)).toEqual(new Set([undefined]))
})
