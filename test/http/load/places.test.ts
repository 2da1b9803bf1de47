import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Places } from '../../../src/http/load/places.js'

const MOST = 8
const OF_A_KEY = 2

test('E5: who is refused takes no room while its client is waited for', () => {
  const places = new Places(MOST)
  const claim = (keyId: string) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    places.take(res, keyId)
    return () => places.claim(res, { keyId, scopes: [] })
  }
  for (let i = 0; i < OF_A_KEY; i++) claim('crowd')()
  for (let i = 0; i < 2 * MOST; i++)
    expect(claim('crowd')).toThrow(`This key has ${OF_A_KEY} requests under way`)
  expect(places.taken).toBe(OF_A_KEY)
  expect(places.refusalOf('crowd')?.message).toContain(`has ${OF_A_KEY} requests under way`)
  expect(places.refusalOf('other')).toBeUndefined()
  expect(claim('other')()).toBeDefined()
})
