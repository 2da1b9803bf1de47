import { describe, expect, test } from 'vitest'
import { hashesOf, SHORT, savedHashes } from './golden.js'

describe('answers are those that were saved; npm run golden tells of all of them', () => {
  test.each(SHORT)('%s', async (name) => {
    expect((await hashesOf(name)).lines).toEqual(await savedHashes(name))
  })
})
