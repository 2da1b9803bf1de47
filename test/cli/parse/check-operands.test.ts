import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readKeyRequest } from '../../../src/cli/commands/key.js'
import {
  contextMistakes,
  GRAPH_ID,
  graphMistakes,
  KEY_ID,
  keyIdMistakes,
  keyNameMistakes,
  LONGEST_GRAPH_ID,
  LONGEST_KEY_NAME,
  LONGEST_TASK,
  limitMistakes,
  MOST_MEMORIES,
  taskMistakes,
} from '../../../src/cli/parse/check-operands.js'
import { OPTIONS } from '../../../src/cli/parse/options.js'

const { schemas } = parse(
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
