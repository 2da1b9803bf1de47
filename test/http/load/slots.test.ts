import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ROOT_KEY } from '../../../src/domain/keys.js'
import { RequestSlots } from '../../../src/http/load/slots.js'

const MOST = 8
const OF_A_KEY = 2

test('E5: who is refused takes no room while its client is waited for', () => {
  const slots = new RequestSlots(MOST)
  const claim = (keyId: string) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    slots.take(res, 'address 192.0.2.7')
    return () => slots.claim(res, { keyId, scopes: [] })
  }
  for (let i = 0; i < OF_A_KEY; i++) claim('crowd')()
  for (let i = 0; i < 2 * MOST; i++)
    expect(claim('crowd')).toThrow(`This key has ${OF_A_KEY} requests under way`)
  expect(slots.used).toBe(OF_A_KEY)
  expect(slots.refusalOf('crowd')?.message).toContain(`has ${OF_A_KEY} requests under way`)
  expect(slots.refusalOf('other')).toBeUndefined()
  expect(claim('other')()).toBeDefined()
})

test('E5: an address has the share of a key for what comes without a known secret, and the rest is for keys and root', () => {
  const slots = new RequestSlots(MOST)
  const take = (lane: string) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    slots.take(res, lane)
    return res
  }
  const address = 'address 192.0.2.7'
  take(address)
  const known = take(address)
  expect(slots.refusalOf(address)?.code).toBe('too_many_requests')
  expect(slots.refusalOf('key')).toBeUndefined()
  // Once its key is known, a request counts for that alone.
  slots.claim(known, { keyId: 'key', scopes: [] })
  expect(slots.refusalOf(address)).toBeUndefined()
  take('key')
  expect(slots.refusalOf('key')?.message).toContain(`This key has ${OF_A_KEY} requests under way`)
})

test('E5: the last tenth of the room is for the root alone, from arrival on', () => {
  const most = 10
  const slots = new RequestSlots(most)
  const take = (lane: string) => slots.take(new ServerResponse(new IncomingMessage(new Socket())), lane)
  for (let i = 1; i < most; i++) take(`key_${i}`)
  expect(slots.refusalOf('key_10')?.code).toBe('overloaded')
  expect(slots.refusalOf(ROOT_KEY)).toBeUndefined()
  take(ROOT_KEY)
  expect(slots.refusalOf(ROOT_KEY)?.code).toBe('overloaded')
})
