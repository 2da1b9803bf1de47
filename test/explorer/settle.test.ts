import { describe, expect, test } from 'vitest'
import { confirmation, correction } from '../../src/explorer/state/settle.js'
import { useApi } from '../support/api.js'

const NOW = new Date('2026-03-10T00:00:00Z')

describe('settling from the page', () => {
  const api = useApi()
  const stored = async (event: object) => {
    const memory_id = await api.record(event)
    return (await api.ok('getMemory', { path: { graph_id: 'demo', memory_id } })).body
  }

  test('a confirmation is the same claim again, not a new one', async () => {
    const memory = await stored({ context_id: 'a:b', payload: { fix: 'Reset it', cause: { deep: [1] } } })
    const body = { ...confirmation('demo', memory, 'user', [], NOW) }
    const receipt = (await api.ok('recordEvent', { body })).body
    expect(receipt).toMatchObject({ status: 'duplicate', event_id: memory.memory_id })
  })

  test('a confirmation keeps until when the claim holds, unless that is over', async () => {
    const payload = { decision: 'Nothing is released' }
    const timestamp = '2026-03-01T00:00:00Z'
    const memory = await stored({
      context_id: 'a:c',
      payload,
      timestamp,
      valid_until: '2026-03-09T00:00:00Z',
    })
    expect(confirmation('demo', memory, 'user', [], NOW)).not.toHaveProperty('valid_until')
    const before = new Date('2026-03-08T00:00:00Z')
    expect(confirmation('demo', memory, 'user', [], before).valid_until).toBe(memory.valid_until)
  })

  test('a confirmation of one side replaces the other', async () => {
    const one = await stored({ context_id: 'a:d', payload: { value: 'The gateway is slow' }, source: 'user' })
    const payload = { value: 'The gateway is not slow' }
    const links = { contradicts: [one.memory_id] }
    const other = await stored({ context_id: 'a:d', payload, ...links, source: 'agent' })
    expect(other.disputed_by).toEqual([one.memory_id])
    const body = { ...confirmation('demo', other, 'user', [one.memory_id], NOW), dry_run: true }
    const { bears_on } = (await api.ok('recordEvent', { body })).body
    expect(bears_on).toContainEqual({ memory_id: one.memory_id, context_id: 'a:d', effect: 'supersedes' })
  })

  test('a correction replaces what it names, under the same field', async () => {
    const memory = await stored({ context_id: 'a:e', payload: { decision: 'Use jest' }, source: 'agent' })
    const event = correction('demo', memory, 'user', 'Use vitest', [memory.memory_id])
    expect(event.payload).toEqual({ decision: 'Use vitest' })
    const { bears_on } = (await api.ok('recordEvent', { body: event }, 201)).body
    expect(bears_on).toContainEqual({ memory_id: memory.memory_id, context_id: 'a:e', effect: 'supersedes' })
  })
})
