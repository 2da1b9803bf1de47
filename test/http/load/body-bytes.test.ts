import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ROOT_KEY } from '../../../src/domain/keys.js'
import { BodyBytes } from '../../../src/http/load/body-bytes.js'
import { startTestServer } from '../../support/server.js'

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

test('E5: a key whose bodies have its share gets 429 over HTTP, the root secret does not, and the next one is taken', async () => {
  const server = await startTestServer({ bodyLimits: { ofKey: MIB, ofAll: 8 * MIB } })
  try {
    const { headers } = await server.key({ scopes: ['write'] })
    const send = (bytes: number, more = {}) => {
      const events = Array.from({ length: 40 }, (_, i) => ({
        ...{
          event_kind: 'fact',
          context_id: 'note:long',
          payload: { text: `${i} ${'a'.repeat(bytes / 40)}` },
        },
      }))
      return server.call('/v1/events/batch', { ...more, json: { graph_id: 'g', events } })
    }
    const refused = await send(2 * MIB, { headers })
    expect([refused.status, refused.body['code']]).toEqual([429, 'too_many_requests'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.body['detail']).toBe(
      'This key has bodies of 1 MiB under way, which is the most. Wait for their answers.',
    )
    expect((await send(2 * MIB)).status).toBe(201)
    expect((await send(MIB / 2, { headers })).status).toBe(201)
  } finally {
    await server.stop()
  }
})
