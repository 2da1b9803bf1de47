import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../../../src/domain/insight/reconcile.js'
import { WORTH_TELLING, worthTelling } from '../../../../src/domain/insight/worth-telling.js'
import { memoryOf } from '../support.js'

/** The texts that are told, in order; each comes with its relevance. */
function told(...said: readonly (readonly [text: string, relevance: number])[]): string[] {
  const evidence = said.map(([text, relevance], i): Evidence => {
    const memory = memoryOf({ text }, { memoryId: `mem_${i}` })
    const found = { memory, foundBy: ['words'] as const, score: relevance, features: Object(null) }
    return { ...found, relevance, role: 'supports', stands: true }
  })
  return worthTelling(evidence).map(({ memory }) => memory.text)
}

describe('what is told', () => {
  test('begins with the most relevant, whatever its place', () => {
    expect(told(['first', 0.5], ['best', 1])).toEqual(['best', 'first'])
  })

  test('is not what is weak beside the best', () => {
    expect(told(['best', 1], ['weak', WORTH_TELLING - 0.01])).toEqual(['best'])
    expect(told(['best', 1], ['strong', WORTH_TELLING])).toEqual(['best', 'strong'])
  })

  test('is the first of the evidence, however weak', () => expect(told(['only', 0.1])).toEqual(['only']))

  test('of equals, the first that was chosen', () =>
    expect(told(['one', 1], ['two', 1], ['three', 1])).toEqual(['one', 'two', 'three']))

  test('is nothing where nothing was chosen', () => expect(told()).toEqual([]))
})
