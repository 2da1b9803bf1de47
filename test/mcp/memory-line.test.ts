import { describe, expect, test } from 'vitest'
import { factsOf, lineOf } from '../../src/mcp/tools/memory-line.js'

const memory: Parameters<typeof lineOf>[0] = {
  memory_id: 'mem_1',
  context_id: 'contract:flat',
  event_kind: 'fact',
  source: 'user',
  text: 'rent: 990',
  confidence: 0.7,
  status: 'current',
  disputed_by: [],
  occurred_at: '2026-03-02T09:30:00.000Z',
  recorded_at: '2026-03-02T09:30:00.000Z',
}

const first = (more: object) => lineOf({ ...memory, ...more }, memory.text).split('\n')[0]

describe('the line of a memory', () => {
  test('says first from when what is planned holds', () => {
    const planned = { status: 'planned', valid_from: '2027-01-01T00:00:00.000Z' } as const
    expect(first(planned)).toBe('- **From 1 January 2027:** rent: 990')
    expect(first({ status: 'planned' })).toBe('- **From 2 March 2026:** rent: 990')
    expect(lineOf({ ...memory, ...planned }, memory.text)).toMatch(
      / · recorded 2026-03-02, valid from 2027-01-01\n$/,
    )
    expect(factsOf({ ...memory, ...planned }, memory.text)).toMatchObject(planned)
  })

  test('says first that it has expired', () => {
    const expired = { status: 'expired', valid_until: '2026-02-01T00:00:00.000Z' } as const
    expect(first(expired)).toBe('- **Expired:** rent: 990')
    expect(lineOf({ ...memory, ...expired }, memory.text)).toMatch(/, valid until 2026-02-01\n$/)
  })

  test('says nothing before what stands', () => expect(first({})).toBe('- rent: 990'))
})
