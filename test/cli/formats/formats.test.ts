import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readEvents } from '../../../src/cli/formats/formats.js'
import type { PastEvent } from '../../../src/domain/events/recording.js'

const chance = { now: () => new Date(), randomBytes }
const MIB = 1024 * 1024

async function read(format: 'facts' | 'mcp-memory', bytes: AsyncIterable<Uint8Array>): Promise<PastEvent[]> {
  const events: PastEvent[] = []
  for await (const some of readEvents(bytes, { format, context: 'note:x' }, chance)) events.push(...some)
  return events
}

test.each(['facts', 'mcp-memory'] as const)('%s: a line without an end is given up soon', async (format) => {
  let taken = 0
  async function* endless() {
    yield Buffer.from('\n')
    for (; taken < 64; taken++) yield Buffer.alloc(MIB, 'x')
  }
  await expect(read(format, endless())).rejects.toThrow('Line 2 must have at most 16777216 bytes.')
  expect(taken).toBeLessThan(20)
})

test('facts: a byte order mark is no part of the first', async () => {
  async function* marked() {
    yield Buffer.from('\ufeffone\r\ntwo')
  }
  expect((await read('facts', marked())).map(({ payload }) => payload)).toEqual([
    { fact: 'one' },
    { fact: 'two' },
  ])
})
