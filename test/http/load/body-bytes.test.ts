import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { BodyBytes } from '../../../src/http/load/body-bytes.js'
import { ROOT_KEY } from '../../../src/http/load/rate-limits.js'

const MIB = 1024 * 1024

function answer(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()))
}

test('E5: bodies under way have so many bytes of a key, and so many in all, until their answers are over', () => {
  const bodies = new BodyBytes({ ofKey: 2 * MIB, ofAll: 5 * MIB })
  const first = answer()
  bodies.counting(first, 'a')(2 * MIB)
  const more = bodies.counting(answer(), 'a')
  expect(() => more(1)).toThrow('This key has bodies of 2 MiB under way')
  bodies.counting(answer(), 'b')(2 * MIB)
  const root = bodies.counting(answer(), ROOT_KEY)
  root(MIB)
  expect(() => root(1)).toThrow('overloaded')
  first.emit('close')
  bodies.counting(answer(), 'a')(2 * MIB)
})
