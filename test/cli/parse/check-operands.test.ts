import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readKeyRequest } from '../../../src/cli/commands/key.js'
import {
  AS_OF,
  asOfMistakes,
  BRIEF_CHARS,
  contextMistakes,
  depthMistakes,
  GRAPH_ID,
  graphMistakes,
  KEY_ID,
  keyIdMistakes,
  keyNameMistakes,
  LONGEST_BRIEF_TASK,
  LONGEST_GRAPH_ID,
  LONGEST_KEY_NAME,
  LONGEST_TASK,
  limitMistakes,
  MEMORY_ID,
  MOST_DEPTH,
  MOST_MEMORIES,
  maxCharsMistakes,
  memoryIdMistakes,
  taskMistakes,
  VALID_AT,
  validAtMistakes,
} from '../../../src/cli/parse/check-operands.js'
import { OPTIONS } from '../../../src/cli/parse/options.js'
import { LARGEST_PAGE, MOST_CONTEXTS } from '../../../src/cli/target/api.js'

const { schemas, parameters } = parse(
  readFileSync(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8'),
).components

describe('what the command line checks is what the contract says', () => {
  test('of graphs, keys, tasks and limits', () => {
    expect([GRAPH_ID.source, LONGEST_GRAPH_ID]).toEqual([schemas.GraphId.pattern, schemas.GraphId.maxLength])
    expect(KEY_ID.source).toBe(schemas.KeyId.pattern)
    expect(LONGEST_KEY_NAME).toBe(schemas.KeyName.maxLength)
    expect(LONGEST_TASK).toBe(schemas.InsightRequest.properties.task.maxLength)
    expect(MOST_MEMORIES).toBe(schemas.MemoryLimit.maximum)
    expect(Number(OPTIONS.limit.fallback)).toBe(schemas.MemoryLimit.default)
  })

  test('of memories, briefs, depths and moments', () => {
    expect(MEMORY_ID.source).toBe(schemas.MemoryId.pattern)
    expect(LONGEST_BRIEF_TASK).toBe(schemas.TaskText.maxLength)
    const { minimum: least, maximum: most, default: chars } = parameters.MaxChars.schema
    expect([BRIEF_CHARS, Number(OPTIONS['max-chars'].fallback)]).toEqual([{ least, most }, chars])
    const { maximum, default: depth } = parameters.Depth.schema
    expect([MOST_DEPTH, Number(OPTIONS.depth.fallback)]).toEqual([maximum, depth])
    expect(AS_OF.source).toBe(schemas.AsOf.pattern)
    expect(VALID_AT.source).toBe(schemas.DateOrMoment.pattern)
    expect(LARGEST_PAGE).toBe(parameters.PageSize.schema.maximum)
    expect(MOST_CONTEXTS).toBe(parameters.MostContexts.schema.maximum)
  })

  test.each(['', ' ', 'a\nb', 'x'.repeat(101), 'a\u0085'])('the name %j is refused by both', (name) => {
    const { pattern, minLength, maxLength } = schemas.KeyName
    const fits = new RegExp(pattern, 'u').test(name) && name.length >= minLength && name.length <= maxLength
    expect(fits).toBe(false)
    expect(keyNameMistakes(name)).toHaveLength(1)
  })
})

test('slips are named', () => {
  expect(graphMistakes('.hidden')[0]).toContain('".hidden"')
  expect(graphMistakes('x'.repeat(129))).toHaveLength(1)
  expect(graphMistakes('a.b_c-D9')).toEqual([])
  expect(taskMistakes('')).toHaveLength(1)
  expect(taskMistakes('a\0')).toHaveLength(1)
  for (const limit of ['0', '101', '1e1', ' 1', '', '-1']) expect(limitMistakes(limit), limit).toHaveLength(1)
  expect(limitMistakes('100')).toEqual([])
  for (const count of ['199', '20001', '2e3', '']) expect(maxCharsMistakes(count), count).toHaveLength(1)
  for (const depth of ['0', '4', '1.5', '']) expect(depthMistakes(depth), depth).toHaveLength(1)
  for (const moment of ['', '-1', '2026-3-2', '2026-02-31', '2026-02-31T00:00:00Z', 'now']) {
    expect(asOfMistakes(moment), moment).toHaveLength(1)
    expect(validAtMistakes(moment), moment).toHaveLength(1)
  }
  for (const moment of [undefined, '2026-03-02', '2026-03-02T09:30:00+01:00']) {
    expect(asOfMistakes(moment)).toEqual([])
    expect(validAtMistakes(moment)).toEqual([])
  }
  for (const place of ['0', '7']) {
    expect(asOfMistakes(place)).toEqual([])
    expect(validAtMistakes(place)).toHaveLength(1)
  }
  expect(memoryIdMistakes('mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8')).toHaveLength(1)
  expect(contextMistakes('no colon')).toHaveLength(1)
  expect(contextMistakes('Guide: House Rules')).toEqual([])
})

test('a secret in the place of a key id is not repeated', () => {
  expect(keyIdMistakes('lore_abcdef').join('')).not.toContain('abcdef')
})

describe('key create', () => {
  const now = new Date('2026-03-02T09:30:00.000Z')
  const base = { name: 'support agent', scope: ['read', 'write'] }

  test('days, hours and weeks from now, or a moment', () => {
    const until = (expires: string) => readKeyRequest({ ...base, expires }, now).expires_at
    expect(until('90d')).toBe('2026-05-31T09:30:00.000Z')
    expect(until('12h')).toBe('2026-03-02T21:30:00.000Z')
    expect(until('2w')).toBe('2026-03-16T09:30:00.000Z')
    expect(until('2027-03-02T00:00:00+01:00')).toBe('2027-03-01T23:00:00.000Z')
    expect(readKeyRequest(base, now)).toEqual({ name: 'support agent', scopes: ['read', 'write'] })
    expect(readKeyRequest({ ...base, graph: ['a', 'a'] }, now).graphs).toEqual(['a'])
  })

  test.each(['0d', '90', 'tomorrow', '2025-01-01T00:00:00Z', '2026-02-31T00:00:00', '999999w', ''])(
    '64: --expires %s',
    (expires) => expect(() => readKeyRequest({ ...base, expires }, now)).toThrow('--expires must be'),
  )

  test('64: all that is wrong, at once', () => {
    expect(() => readKeyRequest({ scope: ['root'], graph: ['.x'], expires: 'x' }, now)).toThrow(
      /--name[\s\S]*--scope must be read, write, admin, not "root"[\s\S]*--graph[\s\S]*--expires/,
    )
    expect(() => readKeyRequest({ name: 'x' }, now)).toThrow('needs --scope')
  })
})
