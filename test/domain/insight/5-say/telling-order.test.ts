import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../../../src/domain/insight/4-reconcile/reconcile.js'
import { inTellingOrder } from '../../../../src/domain/insight/5-say/telling-order.js'
import { memoryOf, poolOf } from '../support.js'

/** The texts in the order in which they are told; each comes with its relevance. */
function told(question: string, said: readonly (readonly [text: string, relevance: number])[]): string[] {
  const memories = said.map(([text], i) => memoryOf({ text }, { memoryId: `mem_${i}` }))
  const evidence = said.map(([, relevance], i): Evidence => {
    const memory = memories[i] ?? memoryOf({})
    const found = { memory, foundBy: ['words'] as const, score: relevance, features: Object(null) }
    return { ...found, relevance, role: 'supports', stands: true }
  })
  return inTellingOrder(evidence, poolOf(question, memories)).map(({ memory }) => memory.text)
}

describe('the order of telling', () => {
  const KEYS = 'Signing keys rotate every month.'
  const AGAIN = 'Signing keys rotate every month, as ever.'
  const NEWS = 'The invoice exporter restarts nightly.'

  test('begins with the strongest, whatever its place', () => {
    expect(
      told('signing keys', [
        ['Keys are long.', 0.5],
        [KEYS, 1],
      ])[0],
    ).toBe(KEYS)
  })

  test('what answers more of the question comes before what says the same again', () => {
    const question = 'How often do signing keys rotate, and when does the invoice exporter restart?'
    expect(
      told(question, [
        [KEYS, 1],
        [AGAIN, 0.9],
        [NEWS, 0.7],
      ]),
    ).toEqual([KEYS, NEWS, AGAIN])
  })

  test('what is weak beside the best is not told, news or not; what is strong is', () => {
    expect(
      told('signing keys', [
        [KEYS, 1],
        [AGAIN, 0.65],
      ]),
    ).toEqual([KEYS])
    expect(
      told('signing keys invoice', [
        [KEYS, 1],
        [NEWS, 0.6],
      ]),
    ).toEqual([KEYS])
    expect(
      told('signing keys', [
        [KEYS, 1],
        [AGAIN, 0.67],
      ]),
    ).toEqual([KEYS, AGAIN])
  })

  test('of equals, the first that was chosen', () => {
    expect(
      told('zzz', [
        ['one', 1],
        ['two', 1],
        ['three', 1],
      ]),
    ).toEqual(['one', 'two', 'three'])
  })

  test('nothing chosen, nothing told', () => expect(told('signing keys', [])).toEqual([]))
})
