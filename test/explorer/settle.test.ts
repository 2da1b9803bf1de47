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

  test('a confirmation of what is planned leaves it planned', async () => {
    const memory = { ...(await stored({ payload: { rent: 990 } })), valid_from: '2027-01-01T00:00:00.000Z' }
    const before = new Date('2026-12-31T00:00:00Z')
    expect(confirmation('demo', memory, 'user', [], before).valid_from).toBe(memory.valid_from)
    const after = new Date('2027-01-02T00:00:00Z')
    expect(confirmation('demo', memory, 'user', [], after)).not.toHaveProperty('valid_from')
  })

  test('a confirmation of one side replaces the other', async () => {
    const one = await stored({ context_id: 'a:d', payload: { value: 'The gateway is slow' }, source: 'user' })
    const payload = { value: 'The gateway is not slow' }
    const links = { contradicts: [one.memory_id] }
    const other = await stored({ context_id: 'a:d', payload, ...links, source: 'agent' })
    expect(other.disputed_by).toEqual([one.memory_id])
    const body = { ...confirmation('demo', other, 'user', [one.memory_id], NOW), dry_run: true }
    const { bears_on } = (await api.ok('recordEvent', { body })).body
    expect(bears_on).toEqual([
      { memory_id: one.memory_id, context_id: 'a:d', effect: 'supersedes', rule: 'memory' },
    ])
  })

  /** A record of which one field is disputed and another one was replaced. */
  const disputed = async (name: string) => {
    const context_id = `a:${name}`
    const at = (payload: object, more: object = {}) => stored({ context_id, payload, ...more })
    const one = await at({ dish: 'Soup', price: 6, stock: 3 })
    const stock = await at({ stock: 9 }, { contradicts: [`${one.memory_id}#/stock`] })
    const other = await at(
      { price: 7, stock: 8 },
      { contradicts: [`${one.memory_id}#/price`], source: 'system' },
    )
    const all = (await api.ok('listDisputes', { path: { graph_id: 'demo' } })).body.disputes
    const dispute = all.find(({ later }) => later.memory_id === other.memory_id)
    expect(dispute?.field).toBe('price')
    const ids = { one: one.memory_id, stock: stock.memory_id, other: other.memory_id }
    const read = async (memory_id: string) =>
      (await api.ok('getMemory', { path: { graph_id: 'demo', memory_id } })).body
    return { ids, read, memory: await read(ids.one), later: await read(ids.other) }
  }

  test('a confirmation of a field settles that field, and brings back nothing that was replaced', async () => {
    const { ids, read, memory } = await disputed('field')
    const event = confirmation('demo', memory, 'user', [ids.other], NOW, 'price')
    expect(event).toMatchObject({ payload: { price: 6 }, reinforces: [ids.one], contradicts: [ids.other] })
    await api.ok('recordEvent', { body: event }, 201)
    expect((await read(ids.one)).disputed_by).toEqual([])
    expect((await read(ids.one)).replaced).toEqual([{ field: 'stock', by: ids.stock, text: '9' }])
    expect(await read(ids.other)).toMatchObject({
      status: 'current',
      replaced: [{ field: 'price', text: '6' }],
    })
  })

  test('a confirmation of the other side as well', async () => {
    const { ids, read, later } = await disputed('later')
    const body = confirmation('demo', later, 'user', [ids.one], NOW, 'price')
    await api.ok('recordEvent', { body }, 201)
    expect((await read(ids.one)).replaced).toMatchObject([
      { field: 'price', text: '7' },
      { field: 'stock', by: ids.stock },
    ])
    expect(await read(ids.other)).toMatchObject({ status: 'current', disputed_by: [] })
  })

  test('a confirmation of a record confirms what of it still stands', async () => {
    const { ids, read, memory } = await disputed('stands')
    const event = confirmation('demo', memory, 'user', [], NOW)
    expect(event).toMatchObject({ payload: { dish: 'Soup', price: 6 }, reinforces: [ids.one] })
    await api.ok('recordEvent', { body: event }, 201)
    expect((await read(ids.one)).replaced).toEqual([{ field: 'stock', by: ids.stock, text: '9' }])
  })

  test('a correction replaces what it names, under the same field', async () => {
    const memory = await stored({ context_id: 'a:e', payload: { decision: 'Use jest' }, source: 'agent' })
    const event = correction('demo', memory, 'user', 'Use vitest', [memory.memory_id])
    expect(event.payload).toEqual({ decision: 'Use vitest' })
    const { bears_on } = (await api.ok('recordEvent', { body: event }, 201)).body
    expect(bears_on).toEqual([
      { memory_id: memory.memory_id, context_id: 'a:e', effect: 'supersedes', rule: 'memory' },
    ])
  })

  test('a correction of a field replaces that field on both sides, by a value of its kind', async () => {
    const { ids, read, later } = await disputed('neither')
    const event = correction('demo', later, 'user', '6.5', [ids.one, ids.other], 'price')
    expect(event.payload).toEqual({ price: 6.5 })
    await api.ok('recordEvent', { body: event }, 201)
    expect((await read(ids.one)).text).toBe('dish: Soup; price: 6.5; stock: 9')
    expect((await read(ids.other)).text).toBe('price: 6.5; stock: 8')
  })

  test('a correction of a record replaces all of it', async () => {
    const memory = await stored({ context_id: 'a:f', payload: { dish: 'Soup', price: 6 } })
    const event = correction('demo', memory, 'user', 'There is no soup', [memory.memory_id])
    const { bears_on } = (await api.ok('recordEvent', { body: event }, 201)).body
    expect(bears_on).toEqual([
      { memory_id: memory.memory_id, context_id: 'a:f', effect: 'supersedes', rule: 'memory' },
    ])
  })
})
