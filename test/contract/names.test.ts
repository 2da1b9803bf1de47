import { expect, test } from 'vitest'
import { foldName, foldType } from '../../src/domain/names.js'
import { readOpenApi, type Schema } from '../support/openapi.js'

const LAST = 0x10ffff
const schemas = readOpenApi().components['schemas'] as Record<string, Schema>

/** Refusals that no pattern can say: they are of what folding makes of a name. */
const IN_WORDS = /once it is folded/

function isTaken(foldInto: (raw: string) => string, character: string): boolean {
  try {
    foldInto(character)
    return true
  } catch (error) {
    return IN_WORDS.test(String(error))
  }
}

test.each([
  ['ContextType', foldType],
  ['ContextName', foldName],
])('the pattern of %s refuses exactly the characters that the service does', (name, foldInto) => {
  const pattern = new RegExp(schemas[name]?.pattern ?? '', 'u')
  const disputed: string[] = []
  for (let code = 0; code <= LAST; code++) {
    const character = String.fromCodePoint(code)
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    if (!isSurrogate && pattern.test(character) !== isTaken(foldInto, character))
      disputed.push(`U+${code.toString(16)}`)
  }
  expect(disputed).toEqual([])
})
