import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/contract/operations.js'
import { type Call, linksOf, useApi } from '../support/api.js'

const NOW = '2026-03-02T09:30:00.000Z'
const flat = { graph_id: 'demo', context_type: 'contract', name: 'flat' }
const ids = { first: '', raised: '' }

const api = useApi(
  async (it) => {
    const rent = { context_id: 'contract:flat', source: 'user' } as const
    ids.first = await it.record({ ...rent, payload: { rent: '950 euros' }, valid_from: '2023-01-01' })
    ids.raised = await it.record({
      ...{ ...rent, payload: { rent: '990 euros' }, contradicts: [ids.first] },
      valid_from: '2027-01-01',
    })
  },
  { now: () => new Date(NOW) },
)

const task = 'How high is the rent of the flat?'
const memory = (memory_id: string) => ({ graph_id: 'demo', memory_id })

const reads: [OperationId, (valid_at?: string) => Call][] = [
  ['getContext', (at) => ({ path: flat, ...(at !== undefined && { query: { valid_at: at } }) })],
  ['getMemory', (at) => ({ path: memory(ids.first), ...(at !== undefined && { query: { valid_at: at } }) })],
  [
    'getBrief',
    (at) => ({ path: { graph_id: 'demo' }, ...(at !== undefined && { query: { valid_at: at } }) }),
  ],
  [
    'recallMemories',
    (at) => ({ body: { query: task, graph_id: 'demo', ...(at !== undefined && { valid_at: at }) } }),
  ],
  [
    'generateInsight',
    (at) => ({ body: { task, graph_id: 'demo', ...(at !== undefined && { valid_at: at }) } }),
  ],
]

describe.each(reads)('%s', (id, callAt) => {
  test('valid_at now is the answer without it', async () => {
    expect((await api.ok(id, callAt(NOW))).text).toBe((await api.ok(id, callAt())).text)
  })

  test('a date is the end of that day, also of the last there is', async () => {
    for (const date of ['2026-12-31', '2027-01-01', '9999-12-31'])
      expect((await api.ok(id, callAt(date))).text).toBe(
        (await api.ok(id, callAt(`${date}T23:59:59.999Z`))).text,
      )
  })

  test('what is planned stands once it has begun', async () => {
    expect((await api.ok(id, callAt('2027-01-01T00:00:00Z'))).text).not.toBe(
      (await api.ok(id, callAt('2026-12-31'))).text,
    )
  })

  test.each(['2026-02-31', '2026-02-31T00:00:00Z', '0000-01-01T00:00:00+23:59'])(
    'no time of UTC: %s',
    async (valid_at) => {
      const { body } = await api.refused(id, callAt(valid_at), 400, 'invalid_time')
      expect(body.errors?.[0]?.path).toMatch(/\/valid_at$/)
    },
  )
})

describe('what is true', () => {
  const statuses = async (query: { readonly valid_at?: string; readonly as_of?: string } = {}) =>
    (await api.ok('getContext', { path: flat, query })).body.memories.map(({ status }) => status)

  test('is that of the moment of the request, of valid_at, or of as_of', async () => {
    expect(await statuses()).toEqual(['planned', 'current'])
    expect(await statuses({ valid_at: '2027-01-01' })).toEqual(['current', 'superseded'])
    expect(await statuses({ valid_at: '2022-12-31' })).toEqual(['planned', 'planned'])
    expect(await statuses({ as_of: '1' })).toEqual(['current'])
    expect(await statuses({ as_of: '1', valid_at: '2027-01-01' })).toEqual(['current'])
  })

  test('says from when it holds', async () => {
    const { body } = await api.ok('getMemory', { path: memory(ids.raised) })
    expect(body).toMatchObject({ status: 'planned', valid_from: '2027-01-01T00:00:00.000Z' })
    const { memories } = (await api.ok('recallMemories', { body: { query: task, graph_id: 'demo' } })).body
    expect(memories).toContain(', planned): From 1 January 2027: rent: 990 euros\n')
  })
})

describe('the links of a page keep to its time in the world', () => {
  const path = '/v1/contexts/demo/contract/flat'
  const next = async (query: Record<string, string | number>) =>
    linksOf(await api.ok('getContext', { path: flat, query: { page_size: 1, ...query } }))['next']

  test('to valid_at, or to now, whatever comes in the meantime', async () => {
    const page = 'page=1&page_size=1'
    const at = encodeURIComponent('2026-03-02T09:30:00.000Z')
    expect(await next({})).toBe(`${path}?as_of=2&valid_at=${at}&${page}`)
    expect(await next({ valid_at: '2027-01-01' })).toBe(`${path}?valid_at=2027-01-01&as_of=2&${page}`)
    expect(await next({ as_of: '2' })).toBe(`${path}?as_of=2&${page}`)
  })
})
