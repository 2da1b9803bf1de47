import { describe, expect, test } from 'vitest'
import { readKeyRequest } from '../../../src/cli/commands/key.js'

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
    expect(readKeyRequest({ ...base, scope: ['read, write'] }, now).scopes).toEqual(['read', 'write'])
    expect(readKeyRequest({ ...base, graph: ['a', 'a'] }, now).graphs).toEqual(['a'])
  })

  test.each(['0d', '90', 'tomorrow', '2025-01-01T00:00:00Z', '2026-02-31T00:00:00', '999999w', ''])(
    '64: --expires %s',
    (expires) => expect(() => readKeyRequest({ ...base, expires }, now)).toThrow('--expires must be'),
  )

  test('64: all that is missing or no moment, at once', () => {
    expect(() => readKeyRequest({ expires: 'x' }, now)).toThrow(
      /needs --name[\s\S]*needs --scope[\s\S]*--expires/,
    )
    expect(() => readKeyRequest({ name: 'x' }, now)).toThrow('needs --scope')
  })
})
