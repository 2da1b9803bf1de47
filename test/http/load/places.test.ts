import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ROOT_KEY } from '../../../src/domain/keys.js'
import { Places } from '../../../src/http/load/places.js'

const MOST = 8
const OF_A_KEY = 2

test('E5: who is refused takes no room while its client is waited for', () => {
  const places = new Places(MOST)
  const claim = (keyId: string) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    places.take(res, 'address 192.0.2.7')
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

test('E5: an address has the share of a key for what comes without a known secret, and the rest is for keys and root', () => {
  const places = new Places(MOST)
  const take = (lane: string) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    places.take(res, lane)
    return res
  }
  const address = 'address 192.0.2.7'
  take(address)
  const known = take(address)
  expect(places.refusalOf(address)?.code).toBe('too_many_requests')
  expect(places.refusalOf('key')).toBeUndefined()
  // Once its key is known, a request counts for that alone.
  places.claim(known, { keyId: 'key', scopes: [] })
  expect(places.refusalOf(address)).toBeUndefined()
  take('key')
  expect(places.refusalOf('key')?.message).toContain(`This key has ${OF_A_KEY} requests under way`)
})

test('E5: the last tenth of the room is for the root alone, from the door on', () => {
  const most = 10
  const places = new Places(most)
  const take = (lane: string) => places.take(new ServerResponse(new IncomingMessage(new Socket())), lane)
  for (let i = 1; i < most; i++) take(`key_${i}`)
  expect(places.refusalOf('key_10')?.code).toBe('overloaded')
  expect(places.refusalOf(ROOT_KEY)).toBeUndefined()
  take(ROOT_KEY)
  expect(places.refusalOf(ROOT_KEY)?.code).toBe('overloaded')
})
