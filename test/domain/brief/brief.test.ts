import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Known, writeBrief } from '../../../src/domain/brief/brief.js'
import type { Memory, Trust } from '../../../src/domain/model.js'

let count = 0
function memory(text: string, more: Partial<Memory> = {}, trust: Partial<Trust> = {}): Memory {
  const memoryId = `mem_${String(count++).padStart(26, '0')}`
  return {
    memoryId,
    seq: count,
    contextId: 'skill:deploys',
    eventKind: 'fact',
    source: 'user',
    payload: { text },
    text,
    links: [],
    occurredAt: '2026-03-02T09:30:00.000Z',
    recordedAt: '2026-03-02T09:30:00.000Z',
    timesSeen: 1,
    ...more,
    trust: {
      confidence: 0.7,
      status: 'current',
      supersededBy: [],
      supersedes: [],
      disputedBy: [],
      agreement: 0,
      lastStatedAt: '2026-03-02T09:30:00.000Z',
      ...trust,
    },
  }
}
const page = <T>(items: readonly T[], total = items.length) => ({
  items,
  total,
  page: 0,
  pageSize: 40,
  isCut: false,
})
const known = (more: Partial<Known> = {}): Known => ({
  relevant: undefined,
  decisions: [],
  confirmed: [],
  latest: [],
  disputes: page([]),
  stale: page([]),
  ...more,
})
const WHO = '(skill:deploys, recorded 2026-03-02 by user)'

describe('a brief tells', () => {
  test('that nothing is recorded, in plain words', () => {
    expect(writeBrief(known(), 2000)).toBe(
      'Nothing is recorded that stands undisputed.\n\nNothing is recorded that is disputed or stale.\n',
    )
    expect(writeBrief(known({ relevant: [] }), 200)).toContain('Nothing is recorded that bears on this task.')
  })

  test('what stands: the most trusted sources first, decisions and confirmed claims in turn, each once', () => {
    const [one, two] = [memory('Decided one'), memory('Decided two')]
    const sure = memory('Confirmed', { source: 'validator' }, { agreement: 3 })
    const told = known({ decisions: [one, two], confirmed: [sure], latest: [memory('Latest'), two] })
    expect(writeBrief(told, 2000)).toBe(
      [
        '## What stands',
        '- Confirmed (skill:deploys, recorded 2026-03-02, confirmed 3 times, vouched for by validator)',
        `- Decided one ${WHO}`,
        `- Decided two ${WHO}`,
        `- Latest ${WHO}`,
        '',
        'Nothing is recorded that is disputed or stale.',
        '',
      ].join('\n'),
    )
  })

  test('both sides of a contradiction, and neither among what stands', () => {
    const earlier = memory('Port 80', {}, { disputedBy: ['mem_x'] })
    const later = memory('Port 90', { source: 'agent' }, { disputedBy: ['mem_y'] })
    const told = known({ latest: [later, earlier], disputes: page([{ earlier, later }], 7) })
    expect(writeBrief(told, 2000)).toBe(
      [
        'Nothing is recorded that stands undisputed.',
        '',
        '## Disputed (7)',
        `- Port 80 ${WHO}`,
        '  against it: Port 90 (skill:deploys, recorded 2026-03-02 by agent)',
        '',
      ].join('\n'),
    )
  })

  test('what is stale, and where what it builds on was replaced', () => {
    const old = memory('CI runs jest', {}, { status: 'stale' })
    const because = [{ memoryId: 'mem_x', contextId: 'decision:runner', supersededBy: ['mem_y'] }]
    expect(writeBrief(known({ stale: page([{ memory: old, because }]) }), 2000)).toContain(
      `## Stale (1)\n- CI runs jest ${WHO}; what it builds on in decision:runner was replaced\n`,
    )
    expect(writeBrief(known({ stale: page([{ memory: old, because: [] }]) }), 2000)).toContain(
      '; what it builds on was replaced\n',
    )
  })

  test('first what bears on the task: what was replaced left out, what is in doubt marked, and nothing twice', () => {
    const [good, gone] = [memory('Good'), memory('Gone', {}, { status: 'superseded' })]
    const old = memory('Old', {}, { status: 'stale' })
    const told = known({
      relevant: [gone, old, good],
      decisions: [good, memory('Else')],
      stale: page([{ memory: old, because: [] }]),
    })
    expect(writeBrief(told, 2000)).toBe(
      [
        '## For this task',
        '- Old (skill:deploys, recorded 2026-03-02 by user, stale)',
        `- Good ${WHO}`,
        '',
        '## What stands',
        `- Else ${WHO}`,
        '',
      ].join('\n'),
    )
  })

  test('the contradiction that has to do with the task before a later one', () => {
    const side = () => memory(`Side ${count}`, {}, { disputedBy: ['mem_x'] })
    const mine = { earlier: side(), later: side() }
    const pairs = [{ earlier: side(), later: side() }, mine]
    const text = writeBrief(known({ relevant: [mine.earlier], disputes: page(pairs) }), 600)
    expect(text).toContain(`## Disputed (2)\n- ${mine.earlier.text} `)
  })

  test('that something is in dispute even where there is no room to tell it', () => {
    const long = 'a very long text that says very little '.repeat(20)
    const pair = { earlier: memory(long), later: memory(long) }
    const stale = page([{ memory: memory(long), because: [] }], 3)
    const text = writeBrief(known({ latest: [memory('Short')], disputes: page([pair], 2), stale }), 200)
    expect(text).toContain('Disputed: 2, not told here.')
    expect(text).toContain('Stale: 3, not told here.')
  })

  test('how many are stale is a lower bound when the search was cut short', () => {
    const stale = { ...page([{ memory: memory('Old'), because: [] }], 5000), isCut: true }
    expect(writeBrief(known({ stale }), 2000)).toContain('## Stale (5000 or more)')
  })

  test('of a long list of decisions no more than leaves room for what is disputed and stale', () => {
    const decisions = Array.from({ length: 40 }, (_, i) => memory(`We decided number ${i} after a long talk`))
    const pair = { earlier: memory('Port 80'), later: memory('Port 90') }
    const stale = page([{ memory: memory('Old'), because: [] }])
    const text = writeBrief(known({ decisions, disputes: page([pair]), stale }), 1000)
    for (const part of ['number 0', 'number 3', 'Port 80', 'Port 90', 'Old']) expect(text).toContain(part)
  })
})

describe('a brief is', () => {
  const trust = fc.record({
    status: fc.constantFrom('current' as const, 'stale' as const, 'superseded' as const),
    agreement: fc.nat(12),
    disputedBy: fc.constantFrom([], ['mem_x']),
  })
  const texts = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc
      .array(fc.constantFrom('deploys', 'not', 'on,', 'friday;', 'the', 'is', '😀'), { maxLength: 200 })
      .map((w) => w.join(' ')),
  )
  const anyMemory = fc
    .tuple(texts, fc.string({ minLength: 1, maxLength: 200 }), trust)
    .map(([text, name, trust]) => memory(text, { contextId: `skill:${name}` }, trust))
  const list = fc.array(anyMemory, { maxLength: 12 })
  const anything = fc.record({
    relevant: fc.option(list, { nil: undefined }),
    decisions: list,
    confirmed: list,
    latest: list,
    disputes: fc
      .array(fc.record({ earlier: anyMemory, later: anyMemory }), { maxLength: 6 })
      .map((all) => page(all)),
    stale: list.map((all) => page(all.map((memory) => ({ memory, because: [] })))),
  })

  test('never longer than allowed, never empty, and the same again; no heading stands alone', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 200, max: 3000 }), (all, most) => {
        const text = writeBrief(all, most)
        expect(text.length).toBeLessThanOrEqual(most)
        expect(text.trim()).not.toBe('')
        expect(writeBrief(all, most)).toBe(text)
        expect(text).not.toMatch(/^## [^\n]*\n(?!- )/m)
      }),
    )
  })
})
