import { describe, expect, test } from 'vitest'
import {
  declaredLinks,
  ends,
  failures,
  followedLinks,
  shortcomings,
} from '../../scripts/proof/schemathesis-summary.js'

const GOOD = `
 ✅  Stateful (in 36.72s)

     Scenarios:    133
     API Links:    13 covered / 13 selected / 13 total

=================================== SUMMARY ====================================

API Operations:
  Selected: 18/19
  Tested: 18

Test Phases:
  ✅ Examples
  ✅ Coverage
  ✅ Fuzzing
  ✅ Stateful

Test cases:
  2866 generated, 2866 passed, 32 skipped

========================== No issues found in 84.15s ===========================
`

const CONTRACT = `
paths:
  /a: { post: { responses: { 201: { links: { readIt: { $ref: '#/components/links/ReadIt' } } } } } }
  /b/{id}: { get: { operationId: getB, responses: { 200: {} } } }
components: { links: { ReadIt: { operationId: getB } } }
`

describe('A2: a run of Schemathesis counts as a proof only when it is one', () => {
  test('a run in which all is well', () => {
    expect(shortcomings(0, GOOD)).toEqual([])
  })

  test.each([
    ['an exit code', 1, '', '', 'it ended with 1'],
    ['a phase that was skipped', 0, '✅ Fuzzing', '⏭  Fuzzing', 'the phase Fuzzing did not pass'],
    ['a phase that failed', 0, '✅ Coverage', '❌ Coverage', 'the phase Coverage did not pass'],
    ['an operation that was left out', 0, '18/19', '17/19', '17 of 18 operations were tested'],
    ['too few cases', 0, '2866 generated', '1999 generated', '1999 cases are too few, 2000 are wanted'],
    ['a warning', 0, 'Test cases:', 'Warnings:\n  ⚠️ Missing test data\n\nTest cases:', 'there are warnings'],
  ])('%s', (_name, code, from, to, said) => {
    expect(shortcomings(code, GOOD.replace(from, to))).toEqual([said])
  })

  test('no summary at all', () => {
    expect(shortcomings(0, '').length).toBeGreaterThan(5)
  })

  test('of a run with few operations, only what a check found', () => {
    expect(failures(`${GOOD}\n=========== ERRORS ===========\n`)).toEqual([])
    expect(failures(`${GOOD}\n=========== FAILURES ===========\n`)).toEqual(['a check failed'])
  })

  test('links are known by name, as declared and as followed', () => {
    const [link = ''] = declaredLinks(CONTRACT)
    expect(link).toBe('POST /a -> [201] readIt -> GET /b/{id}')
    expect(ends(link)).toEqual(['POST /a', 'GET /b/{id}'])
    const report = `{"transition":{"id":"${link}"}}\n{"transition":null}\n`
    expect(followedLinks(report)).toEqual([link])
  })
})
