import { expect, test } from 'vitest'
import { isOvertaken } from '../../../../src/domain/insight/4-reconcile/overtaken.js'
import type { Memory } from '../../../../src/domain/model.js'
import { reinforces } from '../../../store/support.js'
import { memoryOf, poolOf } from '../support.js'

const CONTEXT = { contextId: 'fact:limit' }
const TRUST = memoryOf({}).trust
const OLDER = memoryOf(
  { text: 'The upload limit is 20 megabytes.' },
  { ...CONTEXT, memoryId: 'mem_older', seq: 1, trust: { ...TRUST, disputedBy: ['mem_newer'] } },
)
const newer = (more: Partial<Memory> = {}) =>
  memoryOf(
    { text: 'The upload limit is 50 megabytes, says the banner.' },
    { ...CONTEXT, memoryId: 'mem_newer', seq: 2, source: 'system', ...more },
  )
const witness = (more: Partial<Memory> = {}, text = 'The upload limit held at 50 megabytes in three runs.') =>
  memoryOf({ text }, { ...CONTEXT, memoryId: 'mem_witness', seq: 3, ...reinforces('mem_newer'), ...more })
const overtaken = (...others: Memory[]) => isOvertaken(OLDER, poolOf('upload limit', [OLDER, ...others]))

test('the older of two sides is overtaken when a later memory reinforces the newer one or its context', () => {
  expect(overtaken(newer(), witness())).toBe(true)
  expect(overtaken(newer(), witness(reinforces('fact:limit')))).toBe(true)
})

test.each([
  ['no witness', []],
  ['a witness that is trusted less than the older side', [witness({ source: 'system' })]],
  ['a witness of something else', [witness({}, 'Files are scanned for viruses when they arrive.')]],
  ['a witness that reinforces nothing', [witness({ links: [] })]],
  ['a witness from before the newer side', [witness({ seq: 1 })]],
])('not by %s', (_, witnesses) => expect(overtaken(newer(), ...witnesses)).toBe(false))

test('not by a newer side that is disputed in its turn, or was replaced', () => {
  expect(overtaken(newer({ trust: { ...TRUST, disputedBy: ['mem_other'] } }), witness())).toBe(false)
  expect(overtaken(newer({ trust: { ...TRUST, status: 'superseded' } }), witness())).toBe(false)
})

test('what was replaced is replaced, not overtaken', () => {
  const replaced = { ...OLDER, trust: { ...OLDER.trust, status: 'superseded' } } as const
  expect(isOvertaken(replaced, poolOf('upload limit', [replaced, newer(), witness()]))).toBe(false)
})
