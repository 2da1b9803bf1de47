import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PastEvent } from '../../../src/domain/events/recording.js'
import { MAX_LINE_BYTES } from '../../../src/domain/transfer/lines.js'
import { NOTHING_DECIDED } from '../../../src/domain/trust/claims/types.js'
import { examplesOf, operationsOf, readOpenApi } from '../../support/openapi.js'
import { decoded, encoded } from './support.js'

const AT = '2026-03-02T09:30:00.000Z'
const event = (change: Partial<PastEvent> = {}): PastEvent => ({
  memoryId: 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N',
  contextId: 'skill:test_isolation',
  eventKind: 'fact',
  source: 'agent',
  payload: { fix: 'Reset the session store between tests' },
  links: [],
  occurredAt: AT,
  recordedAt: AT,
  timesSeen: 1,
  place: 1,
  decisions: NOTHING_DECIDED,
  ...change,
})
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** An export made by hand: the header, these lines, and a last line that is right. */
const handmade = (...lines: readonly string[]) => {
  const body = lines.map((line) => `${line}\n`).join('')
  return `{"loregraph":3,"graph_id":"demo","exported_at":"${AT}"}\n${body}{"count":${lines.length},"sha256":"${sha256(body)}"}\n`
}
const line = JSON.stringify({
  event_kind: 'fact',
  payload: { a: 1 },
  context_id: 'skill:a',
  source: 'agent',
  timestamp: AT,
  memory_id: 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N',
  recorded_at: AT,
  times_seen: 1,
  place: 1,
})

describe('an export', () => {
  test('is the example of the contract, to the byte', async () => {
    const document = readOpenApi()
    const operation = operationsOf(document).find(({ id }) => id === 'importGraph')
    const [example] = examplesOf(operation?.body?.media ?? {}).values()
    expect(await encoded([event()])).toBe(example)
  })

  test('has a link field only where there are links, and comes back as it was', async () => {
    const events = [
      event({ links: [{ kind: 'contradiction', target: 'skill:a' }] }),
      event({
        payload: { __proto__x: [1, { b: null }], '': '🦊\n"\\', 2: true },
        links: [
          { kind: 'reinforcement', target: 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N' },
          { kind: 'contradiction', target: 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N', field: 'a/b ~ é%' },
          { kind: 'related-to', target: 'skill:é:b' },
        ],
        timesSeen: 2,
      }),
      event({ validFrom: '2026-01-01T00:00:00.000Z', validUntil: '2026-02-01T00:00:00.000Z' }),
    ]
    const text = await encoded(events)
    expect(text.split('\n')[1]).toContain('"source":"agent","contradicts":["skill:a"],"timestamp"')
    for (const size of [1, 2, 7, 100, 1e6]) expect(await decoded(text, size)).toEqual(events)
  })

  test('what was decided of fields, and of links that were not sure, comes back as it was', async () => {
    const [one, two] = ['mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N', 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8M']
    const decisions = {
      ...NOTHING_DECIDED,
      bears: [[`${one}#/price`], []],
      opposes: [{ by: `${two}#/price`, against: `${one}#/price`, effect: 'supersedes' as const }],
      reinforces: [{ claim: `${one}#/a%2Fb`, effect: 'noted' as const }],
      returns: [{ claim: `${two}#/%C3%A9`, disputed: true }],
      unresolved: [{ link: 1, candidates: [`${one}#/price`, two] }],
    }
    const links = [
      { kind: 'contradiction', target: 'skill:a' },
      { kind: 'contradiction', target: 'skill:b' },
    ] as const
    const events = [event({ links, decisions })]
    const text = await encoded(events)
    expect(text.split('\n')[1]).toContain('"unresolved":[{"link":1,"candidates":["')
    expect(await decoded(text)).toEqual(events)
  })

  test('formats 1 and 2 are read: 1 without decisions, 2 with them', async () => {
    const { place, ...first } = JSON.parse(line)
    expect(place).toBe(1)
    const older = (format: number, text: string) =>
      handmade(text).replace('"loregraph":3', `"loregraph":${format}`)
    expect((await decoded(older(1, JSON.stringify(first))))[0]?.decisions).toBeUndefined()
    expect((await decoded(older(2, line)))[0]?.decisions).toEqual(NOTHING_DECIDED)
  })

  test('the last line may lack its line feed', async () => {
    const text = await encoded([event()])
    expect(await decoded(text.trimEnd())).toEqual([event()])
  })
})

describe('an import that is refused names the line', () => {
  const whole = handmade(line, line)
  const broken = (change: (value: Record<string, unknown>) => void) => {
    const value = JSON.parse(line)
    change(value)
    return handmade(line, JSON.stringify(value))
  }
  const nested = `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`

  test.each<[string, string | Uint8Array, string, RegExp]>([
    ['nothing', '', '/body/1', /is missing: there is nothing/],
    ['no header', `${line}\n`, '/body/1', /must be the header/],
    ['another format', whole.replace('"loregraph":3', '"loregraph":4'), '/body/1', /another format/],
    ['text', 'hello\n', '/body/1', /must be one JSON object/],
    [
      'no last line',
      whole.split('\n').slice(0, 3).join('\n'),
      '/body/4',
      /is missing: the export is incomplete/,
    ],
    [
      'cut in the middle of a line',
      whole.slice(0, whole.indexOf('skill:a') + 250),
      '/body/3',
      /one JSON object/,
    ],
    ['a line left out', whole.replace(`${line}\n`, ''), '/body/3/count', /there are 1 before it/],
    ['a changed line', whole.replace('"a":1', '"a":2'), '/body/4/sha256', /one of them was changed/],
    ['carriage returns', whole.replaceAll('\n', '\r\n'), '/body/4/sha256', /was changed/],
    ['a line after the last', `${whole}${line}\n`, '/body/5', /must not follow the last line/],
    ['an empty line', handmade(line, ''), '/body/3', /one JSON object/],
    ['an array', handmade('[]'), '/body/2', /must be an object/],
    [
      'an unknown field',
      broken((value) => Object.assign(value, { extra: 1 })),
      '/body/3/extra',
      /is not a field/,
    ],
    ['a missing field', broken((value) => delete value['source']), '/body/3/source', /is required/],
    [
      'a wrong kind',
      broken((value) => Object.assign(value, { event_kind: 'x' })),
      '/body/3/event_kind',
      /one of fact/,
    ],
    [
      'a wrong id',
      broken((value) => Object.assign(value, { memory_id: 'x' })),
      '/body/3/memory_id',
      /id of a memory/,
    ],
    [
      'an unfolded name',
      broken((value) => Object.assign(value, { context_id: 'Skill:A b' })),
      '/body/3/context_id',
      /"skill:a_b"/,
    ],
    [
      'an unfolded link',
      broken((value) => Object.assign(value, { extends: ['a:b', 'A:b'] })),
      '/body/3/extends/1',
      /"a:b"/,
    ],
    [
      'a moment that is none',
      broken((value) => Object.assign(value, { timestamp: '2026-02-31T00:00:00Z' })),
      '/body/3/timestamp',
      /RFC 3339/,
    ],
    ['a payload that is too deep', handmade(line.replace('{"a":1}', nested)), '/body/2/payload', /32 levels/],
    [
      'a line that is too deep',
      handmade(line.replace('{"a":1}', `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`)),
      '/body/2',
      /64 levels/,
    ],
    [
      'a payload that is too large',
      broken((value) => Object.assign(value, { payload: { a: 'x'.repeat(65_536) } })),
      '/body/3/payload',
      /65536 bytes/,
    ],
    [
      'a number that is no double',
      handmade(line.replace(':1}', ':1e999}')),
      '/body/2/payload/a',
      /fits a double/,
    ],
    [
      'a whole number that would change',
      handmade(line.replace(':1}', ':9007199254740993}')),
      '/body/2/payload/a',
      /would come back as 9007199254740992/,
    ],
    ['a NUL character', handmade(line.replace(':1}', ':"\\u0000"}')), '/body/2/payload/a', /NUL/],
    ['half a surrogate pair', handmade(line.replace(':1}', ':"\\uD800"}')), '/body/2/payload/a', /surrogate/],
    [
      'bytes that are no UTF-8',
      Buffer.concat([
        Buffer.from(`${handmade(line).split('\n')[0]}\n`),
        Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      ]),
      '/body/2',
      /UTF-8/,
    ],
    [
      'a line that is too long',
      handmade(line, line.replace(':1}', `:"${'\\u00e9'.repeat(200_000)}"}`)),
      '/body/3',
      /1048576 bytes/,
    ],
    [
      'a line without an end',
      `${handmade(line).split('\n')[0]}\n${'x'.repeat(MAX_LINE_BYTES + 1)}`,
      '/body/2',
      /1048576 bytes/,
    ],
  ])('%s', async (_what, text, path, message) => {
    for (const size of [1000, 2e6]) {
      const failure: unknown = await decoded(text, size).then(undefined, (error: unknown) => error)
      expect(failure).toMatchObject({
        code: 'invalid_import',
        message: expect.stringMatching(/^Line \d+.* Nothing was imported\.$/s),
        errors: [{ path, message: expect.stringMatching(message) }],
      })
    }
  })
})
