import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  claimOf,
  excerpt,
  MAX_LEAD_CHARACTERS,
  namesOf,
  readings,
  shown,
} from '../../../src/domain/insight/claims.js'
import type { JsonObject, Memory } from '../../../src/domain/model.js'
import { LONE_SURROGATE, memoryOf } from './support.js'

const lineOf = (memory: Memory, names: readonly string[] = [], part = 0) => {
  const claim = claimOf(memory, names)
  return shown(claim, excerpt(claim, part))
}
const at = (contextId: string, payload: JsonObject, more: Partial<Memory> = {}) =>
  memoryOf(payload, { contextId, ...more })
const trust = memoryOf({}).trust

describe('the subject line', () => {
  test('stands before a text that does not name its subject', () => {
    expect(lineOf(at('patient:bed_3', { medication: 'doxycycline' }))).toBe(
      'patient bed 3: medication: doxycycline',
    )
  })

  test('is left out where the text names it', () => {
    expect(lineOf(at('person:henrik', { text: 'Henrik prefers the phone' }))).toBe('Henrik prefers the phone')
  })

  test('has the names that standing memories of the context give it, each once', () => {
    const memories = [
      at('patient:bed_3', { name: 'Mr Olsen' }, { seq: 1 }),
      at('patient:bed_3', { patient: 'Mr Olsen', title: 'Captain' }, { seq: 2 }),
      at('patient:bed_3', { name: 'Ms Wolf' }, { seq: 3, trust: { ...trust, status: 'superseded' } }),
      at('patient:bed_4', { name: 'Mr Ray' }, { seq: 4 }),
    ]
    const names = namesOf(memories)
    expect(names.get('patient:bed_3')).toEqual(['Mr Olsen', 'Captain'])
    expect(lineOf(at('patient:bed_3', { medication: 'doxycycline' }), names.get('patient:bed_3'))).toBe(
      'patient bed 3 (Mr Olsen, Captain): medication: doxycycline',
    )
  })

  test('what is read begins with it, whether it is shown or not', () => {
    expect(readings(claimOf(at('person:henrik', { text: 'Henrik prefers the phone' })))).toEqual([
      'person henrik: Henrik prefers the phone',
    ])
  })
})

describe('a line', () => {
  const SENTENCES = Array.from({ length: 12 }, (_, i) => `Step ${i} copies the table of branch ${i}.`)

  test('shows the sentence that answers, its neighbours where there is room, and where something is left out', () => {
    const line = lineOf(at('note:export', { text: SENTENCES.join(' ') }), [], 7)
    expect(line).toContain(SENTENCES[7])
    expect(line).toMatch(/^note export: … Step .* …$/)
    expect(line.length).toBeLessThanOrEqual(MAX_LEAD_CHARACTERS)
  })

  test('has short texts word for word, and is one line', () => {
    const code = 'if (a) {\n\treturn useEffect(b)\n}'
    expect(lineOf(at('code:a', { text: code }))).toBe('code a: if (a) { return useEffect(b) }')
  })

  const fragment = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('One. Two! Three? ', '🦊'.repeat(50), 'x'.repeat(300), '休暇は二月。', '`rm -rf ./dist`'),
  )
  const payload = fc.dictionary(
    fc.constantFrom('text', 'fix', 'name', 'cause', '__proto__'),
    fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join(' ')),
    { minKeys: 1, maxKeys: 3 },
  ) as fc.Arbitrary<JsonObject>

  test('has at most 200 characters of any memory, never half of one, and nothing that the memory does not say', () => {
    fc.assert(
      fc.property(payload, fc.nat(20), (given, nth) => {
        const claim = claimOf(at('note:n', given))
        const part = claim.parts.length === 0 ? 0 : nth % claim.parts.length
        const text = excerpt(claim, part)
        expect(shown(claim, text).length).toBeLessThanOrEqual(MAX_LEAD_CHARACTERS)
        if (!LONE_SURROGATE.test(claim.text)) expect(text).not.toMatch(LONE_SURROGATE)
        for (const piece of text.split('…')) expect(claim.text).toContain(piece.trim())
      }),
      { numRuns: 300 },
    )
  })
})
