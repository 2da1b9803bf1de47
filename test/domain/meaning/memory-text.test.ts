import { expect, test } from 'vitest'
import { memoryText } from '../../../src/domain/meaning/memory-text.js'

test('context and fields, nested ones too, as one text', () => {
  const payload = {
    runner: 'vitest',
    tags: ['fast', 'esm'],
    of: { team: 'core', size: 3 },
    on: true,
    by: null,
  }
  expect(memoryText('tool:test_runner', payload)).toBe(
    'tool test runner: runner: vitest; tags: fast, esm; of: team: core; size: 3; on: true; by: null',
  )
})

test('an empty payload leaves the context', () => {
  expect(memoryText('a:b', {})).toBe('a b: ')
})
