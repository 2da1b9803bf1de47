import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { isOfAddress, laneOf } from '../../../src/http/load/lanes.js'

const knownKey = (secret: string) => (secret === 'good' ? 'key_1' : undefined)

function laneFrom(remoteAddress: string, authorization?: string): string {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
  return laneOf({ socket, headers: authorization === undefined ? {} : { authorization } }, knownKey)
}

test('a secret that was good has the lane of its key, wherever it comes from', () => {
  for (const address of ['192.0.2.7', '192.0.2.8', '::1'])
    expect(laneFrom(address, 'Bearer good')).toBe('key_1')
  expect(isOfAddress('key_1')).toBe(false)
})

test('C12: invented secrets, and none at all, have the lane of their address, however many there are', () => {
  const authorizations = [
    undefined,
    'Basic x',
    ...Array.from({ length: 100 }, (_, i) => `Bearer invented-${i}`),
  ]
  const lanes = new Set(authorizations.map((authorization) => laneFrom('192.0.2.7', authorization)))
  expect(lanes.size).toBe(1)
  expect([...lanes].every(isOfAddress)).toBe(true)
  expect(lanes).not.toContain(laneFrom('192.0.2.8', 'Bearer invented'))
})
