import { describe, expect, test } from 'vitest'
import { timelineOf } from '../../src/explorer/state/timeline.js'
import type { Memory, MemoryHistory } from '../../src/explorer/state/types.js'

type Parts = Partial<Memory> & { place: number }

/** `memory('a', { place: 1 })`: ids are single letters here. */
function memory(memory_id: string, parts: Parts): Memory {
  const at = `2026-01-${String(parts.place).padStart(2, '0')}T09:00:00.000Z`
  return {
    memory_id,
    context_id: 'decision:x',
    text: memory_id,
    payload: { value: memory_id },
    event_kind: 'fact',
    source: 'agent',
    confidence: 0.6,
    status: parts.superseded_by ? 'superseded' : 'current',
    occurred_at: at,
    recorded_at: at,
    links: { reinforces: [], extends: [], contradicts: [], related_to: [] },
    superseded_by: [],
    supersedes: [],
    disputed_by: [],
    times_seen: 1,
    last_stated_at: at,
    ...parts,
  }
}

function history(memory_id: string, parts: Partial<MemoryHistory> = {}): [string, MemoryHistory] {
  return [
    memory_id,
    {
      memory_id,
      statements: [],
      supersedes: [],
      superseded_by: [],
      spells: [],
      total: 0,
      page: 0,
      page_size: 100,
      ...parts,
    },
  ]
}

const replacedBy = (memory_id: string, place: number) => ({
  memory_id,
  place,
  recorded_at: '2026-01-09T09:00:00.000Z',
  source: 'user' as const,
})

/** Threads as rows of ids: `a | b c` is a row with a, and below it one with b and c side by side. */
const drawn = (memories: readonly Memory[], histories = new Map<string, MemoryHistory>()) =>
  timelineOf(memories, histories).threads.map(({ rows }) =>
    rows.map((row) => row.map((lane) => lane.memory.memory_id).join(' ')).join(' | '),
  )

describe('the timeline of belief', () => {
  test('nothing recorded: nothing drawn', () => {
    expect(timelineOf([], new Map())).toEqual({ threads: [], moments: [] })
  })

  test('claims that have nothing to do with each other are threads of their own, the latest first', () => {
    expect(drawn([memory('c', { place: 3 }), memory('a', { place: 1 })])).toEqual(['c', 'a'])
  })

  test('what was replaced stands above what replaced it, through the whole chain', () => {
    const chain = [
      memory('c', { place: 3, supersedes: ['b'] }),
      memory('b', { place: 2, supersedes: ['a'], superseded_by: ['c'] }),
      memory('a', { place: 1, superseded_by: ['b'] }),
    ]
    expect(drawn(chain)).toEqual(['a | b | c'])
  })

  test('an open contradiction is two lanes of one row', () => {
    const pair = [
      memory('b', { place: 2, disputed_by: ['a'] }),
      memory('a', { place: 1, disputed_by: ['b'] }),
    ]
    expect(drawn(pair)).toEqual(['a b'])
    const [thread] = timelineOf(pair, new Map()).threads
    expect(thread?.rows[0]?.every(({ isDisputed }) => isDisputed)).toBe(true)
  })

  test('one that contradicts two: all three side by side, each once', () => {
    const three = [
      memory('a', { place: 1, disputed_by: ['c'] }),
      memory('b', { place: 2, disputed_by: ['c'] }),
      memory('c', { place: 3, disputed_by: ['a', 'b'] }),
    ]
    expect(drawn(three).join().match(/[abc]/g)?.sort()).toEqual(['a', 'b', 'c'])
  })

  test('a lane ends at the step at which it was replaced, and is joined there to its successor', () => {
    const memories = [
      memory('a', { place: 4, superseded_by: ['b'] }),
      memory('x', { place: 6 }),
      memory('b', { place: 8, supersedes: ['a'] }),
    ]
    const histories = new Map([history('a', { superseded_by: [replacedBy('b', 8)] })])
    const { threads, moments } = timelineOf(memories, histories)
    expect(moments.map(({ place }) => place)).toEqual([4, 6, 8])
    const thread = threads.find(({ rows }) => rows.length === 2)
    expect(thread?.rows[0]?.[0]).toMatchObject({ from: 0, to: 2 })
    expect(thread?.rows[1]?.[0]).toMatchObject({ from: 2 })
    expect(thread?.rows[1]?.[0]).not.toHaveProperty('to')
    expect(thread?.joints).toEqual([{ replaced: 'a', by: 'b', at: 2 }])
  })

  test('every statement is a step, those of other memories that confirm it as well', () => {
    const links = { reinforces: [], extends: [], contradicts: [], related_to: [] }
    const at = '2026-01-01T09:00:00.000Z'
    const statement = (place: number, own: boolean) => ({
      place,
      own,
      event_id: 'a',
      source: 'agent' as const,
      recorded_at: at,
      occurred_at: at,
      links,
      bears_on: [],
    })
    const histories = new Map([history('a', { statements: [statement(1, true), statement(5, false)] })])
    const { threads } = timelineOf([memory('a', { place: 1 })], histories)
    expect(threads[0]?.rows[0]?.[0]?.stated).toEqual([0, 1])
  })

  test('replaced by something that is filed elsewhere: a lane with an end and no joint', () => {
    const histories = new Map([history('a', { superseded_by: [replacedBy('elsewhere', 7)] })])
    const { threads } = timelineOf([memory('a', { place: 1, superseded_by: ['elsewhere'] })], histories)
    expect(threads[0]?.joints).toEqual([])
    expect(threads[0]?.rows[0]?.[0]?.to).toBe(1)
  })
})
