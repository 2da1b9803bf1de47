import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/domain/failure.js'
import {
  byCodeUnit,
  contextId,
  fold,
  foldContextId,
  foldName,
  foldType,
  MAX_NAME_LENGTH,
  MAX_TYPE_LENGTH,
  nameRank,
  parseNameQuery,
  splitContextId,
} from '../../src/domain/names.js'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const words = fc.array(fc.string({ unit: fc.constantFrom(...'abAB12é钩'), minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
})

/** The failure that folding ends in. */
function refusal(attempt: () => unknown): Failure {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('Nothing was refused.')
}

function rank(q: string, type: string, name: string) {
  return nameRank(parseNameQuery(q), type, name)
}

describe('folding', () => {
  test.each([
    ['React Hooks', 'react_hooks'],
    ['  react   hooks ', 'react_hooks'],
    ['REACT_HOOKS', 'react_hooks'],
    ['react\u00a0\u2003hooks', 'react_hooks'],
    ['react\u2028hooks', 'react_hooks'],
    ['\ufeffreact hooks', 'react_hooks'],
    ['re\u200bact\u2060 \u00adhooks\ufeff', 'react_hooks'],
    ['Ｒｅａｃｔ　Ｈｏｏｋｓ', 'react_hooks'],
  ])('%j and %j are one context', (a, b) => {
    expect(foldName(a)).toBe(b)
    expect(foldContextId(`Skill:${a}`)).toBe(`skill:${b}`)
  })

  test('composed and decomposed spellings are one name', () => {
    expect(foldName('Cafe\u0301')).toBe(foldName('CAF\u00c9'))
    expect(foldName('\u1112\u1161\u11ab')).toBe(foldName('\ud55c'))
  })

  test.each([
    ['É', 'é'],
    ['J\u030c', '\u01f0'],
    ['ДОМ', 'дом'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁle', 'FILE'],
    ['Ⅳ', 'iv'],
    ['①', '1'],
    ['Å', 'å'],
    ['𝐑𝐞𝐚𝐜𝐭', 'react'],
  ])('%s and %s are one name', (a, b) => expect(foldName(a)).toBe(foldName(b)))

  test('separators other than white space are kept apart', () => {
    const names = ['react_hooks', 'react-hooks', 'react.hooks', 'react/hooks', 'react:hooks', 'reacthooks']
    expect(new Set(names.map((name) => foldName(name))).size).toBe(names.length)
  })

  test('folding twice changes nothing, for every code point', () => {
    for (let first = 0; first < 0x110000; first += 256) {
      const codes = Array.from({ length: 256 }, (_, i) => String.fromCodePoint(first + i))
      const folded = fold(codes.map((code) => `${code} A${code}B`).join(' '))
      if (fold(folded) !== folded) expect.fail(`between U+${first.toString(16)} and the next 256`)
    }
  })

  test('a folded name has no white space and no upper case', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        expect(fold(raw)).not.toMatch(/\s/u)
        expect(fold(raw)).toBe(fold(raw).toLowerCase())
      }),
    )
  })

  test('white space around and the width of white space inside do not matter', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\u00a0', '\u3000'), minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(
        words,
        space,
        (parts, gap) => foldName(gap + parts.join(gap) + gap) === fold(parts.join('_')),
      ),
    )
  })
})

describe('what a name may hold', () => {
  test.each(['.', '..', ' .. ', '\u2025', '\uff0e', '.\u200b.'])('no step of a path: %j', (name) => {
    expect(() => foldName(name)).toThrow(/neither \. nor \.\./)
    expect(() => foldType(name)).toThrow(/neither \. nor \.\./)
    expect(() => foldContextId(`a:${name}`)).toThrow(/neither \. nor \.\./)
  })

  test('dots in company, and the joiners that scripts and emoji need', () => {
    for (const name of ['...', '.env', 'a..b', '.-', 'क्\u200dष', '👩\u200d💻'])
      expect(foldName(name)).toBe(name)
    expect(() => foldName('\u200b\u00ad')).toThrow(/can be seen/)
  })

  // Which single characters are refused is held against the contract, for every code point.
  test.each([
    ['a control at the edge, where white space would be trimmed', 'a\n'],
    ['a bidirectional override', 'txt.\u202eexe'],
    ['a lone high surrogate', 'a\ud800'],
    ['a lone low surrogate', '\udc00b'],
    ['surrogates in the wrong order', '\udc00\ud800'],
  ])('%s is refused, in types, names and ids', (_, raw) => {
    for (const attempt of [() => foldType(raw), () => foldName(raw), () => foldContextId(`t:${raw}`)])
      expect(refusal(attempt).code).toBe('invalid_name')
  })

  test.each([
    '__proto__',
    'constructor',
    'tostring',
    '%2f',
    '100%',
    '%',
    '%00',
    '../../etc/passwd',
    'a/b',
    'c++',
    'c#',
    '...',
    '?a=b&c',
    '<script>',
    '"\'\\',
    '👩‍👩‍👧',
    'ไทย',
    '数据库',
    '_',
    'a::b',
    'mem_01arz3ndektsv4rrffq69g5fav',
  ])('%j is data', (name) => {
    expect(foldName(name)).toBe(name)
    expect(foldContextId(`skill:${name}`)).toBe(`skill:${name}`)
  })

  test.each(['', ' ', '\u3000', '\ufeff', ' \u00a0 '])('%j is no name', (raw) => {
    expect(refusal(() => foldName(raw)).message).toMatch(/at least one character/)
    expect(refusal(() => foldType(raw)).message).toMatch(/at least one character/)
  })

  test('every name that is accepted is made of well-formed text and folds to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), (raw) => {
        let name: string
        try {
          name = foldName(raw)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
          return
        }
        expect(name).not.toMatch(/\p{Cs}/u)
        expect(foldName(name)).toBe(name)
      }),
    )
  })

  test('a refusal says where and why, in a sentence', () => {
    const failure = refusal(() => foldName('a\0', '/body/contradicts/0'))
    expect(failure.errors).toEqual([{ path: '/body/contradicts/0', message: failure.message }])
    expect(failure.message).toMatch(/^A context name has .+\.$/)
    expect(failure.message).not.toContain('\0')
  })
})

describe('how long a name may be', () => {
  const limits = [
    ['type', foldType, MAX_TYPE_LENGTH, 64],
    ['name', foldName, MAX_NAME_LENGTH, 200],
  ] as const

  test.each(limits)('a %s has at most its bound of characters', (_, foldIt, max, stated) => {
    expect(max).toBe(stated)
    expect(foldIt('x'.repeat(max))).toHaveLength(max)
    expect(refusal(() => foldIt('x'.repeat(max + 1))).message).toContain(`at most ${max} characters`)
  })

  test.each(limits)('a %s is counted in code points, not in code units', (_, foldIt, max) => {
    expect(foldIt('🚀'.repeat(max))).toBe('🚀'.repeat(max))
    expect(() => foldIt('🚀'.repeat(max + 1))).toThrow(Failure)
  })

  test.each(limits)('a %s is counted once it is folded', (_, foldIt, max) => {
    expect(foldIt(`${' '.repeat(500)}x${' '.repeat(500)}y`)).toBe('x_y')
    expect(foldIt('e\u0301'.repeat(max))).toHaveLength(max)
  })

  test('U+FDFA is one character on the way in and eighteen once folded', () => {
    expect([...foldName('\ufdfa')]).toHaveLength(18)
    expect([...foldName('\ufdfa'.repeat(11))]).toHaveLength(198)
    expect(() => foldName('\ufdfa'.repeat(12))).toThrow(Failure)
    expect([...foldType('\ufdfa'.repeat(3))]).toHaveLength(54)
    expect(() => foldType('\ufdfa'.repeat(4))).toThrow(Failure)
  })
})

describe('context ids', () => {
  test('the first colon parts type and name, so a name may hold further ones', () => {
    expect(foldContextId('Bug:HTTP: 500: Timeout')).toBe('bug:http:_500:_timeout')
    expect(splitContextId('bug:http:_500:_timeout')).toEqual({ type: 'bug', name: 'http:_500:_timeout' })
  })

  test('a full-width colon is a colon', () => {
    expect(foldContextId('skill：react')).toBe('skill:react')
    expect(refusal(() => foldType('a：b')).message).toBe('A context type has no colon.')
    expect(foldName('a：b')).toBe('a:b')
  })

  test('a type has no colon, even one that appears by folding', () => {
    expect(() => foldType('a:b')).toThrow(Failure)
    expect(() => foldType('\u2a74')).toThrow(Failure)
  })

  test.each(['', 'skill', 'react_hooks', 'mem_01ARZ3NDEKTSV4RRFFQ69G5FAV'])(
    '%j has no colon: refused',
    (raw) => {
      expect(refusal(() => foldContextId(raw)).message).toBe('A context id is written type:name.')
    },
  )

  test.each([':', ':name', 'type:', ' : ', 'type: '])('%j lacks a type or a name: refused', (raw) => {
    expect(() => foldContextId(raw)).toThrow(Failure)
  })

  test('white space around the colon belongs to neither side', () => {
    expect(foldContextId(' Skill : React Hooks ')).toBe('skill:react_hooks')
  })

  test('folding an id is folding its type and its name', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(part, part, (type, name) => {
        let expected: string
        try {
          expected = contextId(foldType(type), foldName(name))
        } catch {
          return
        }
        const id = foldContextId(`${type}:${name}`)
        expect(id).toBe(expected)
        expect(foldContextId(id)).toBe(id)
        const parted = splitContextId(id)
        expect(contextId(parted.type, parted.name)).toBe(id)
      }),
    )
  })
})

describe('search by name', () => {
  test('0: type and name in full are the query', () => {
    expect(rank('skill:react_hooks', 'skill', 'react_hooks')).toBe(0)
    expect(rank('Skill:React Hooks', 'skill', 'react_hooks')).toBe(0)
    expect(rank('skill:react', 'skill', 'pre_react')).toBe(3)
  })

  test('1: the whole name is the query, however it is spelled', () => {
    expect(rank('React Hooks', 'skill', 'react_hooks')).toBe(1)
    expect(rank('ＲＥＡＣＴ_hooks ', 'skill', 'react_hooks')).toBe(1)
  })

  test('a term does not run across the border of type and name', () => {
    expect(rank('lreact', 'skill', 'react')).toBeUndefined()
  })

  test('all of white space and _ - . : / part terms', () => {
    expect(parseNameQuery('a b_c-d.e:f/g\u00a0h').terms).toEqual([...'abcdefgh'])
  })

  test('a term asked for twice is one term', () => {
    expect(parseNameQuery('React react').terms).toEqual(['react'])
  })

  test('a query of separators only looks for just those', () => {
    expect(parseNameQuery('--').terms).toEqual(['--'])
    expect(rank('--', 'flag', 'x--y')).toBe(4)
    expect(rank('--', 'flag', '--verbose')).toBe(2)
    expect(rank('_', 'flag', '_')).toBe(1)
    expect(rank('--', 'flag', 'x-y')).toBeUndefined()
  })

  test.each([' ', '\u3000\u00a0', '\ufeff'])('a query of white space only, %j, finds nothing', (q) => {
    expect(parseNameQuery(q)).toEqual({ text: '', terms: [] })
    expect(rank(q, 'skill', 'react_hooks')).toBeUndefined()
  })

  test.each(['.*', '(', '[', 'a{2,1}', '\\', '^a', '$', '(a+)+$', '*', '?', '|'])(
    '%j is text, never a pattern',
    (q) => {
      expect(rank(q, 'skill', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')).toBeUndefined()
      expect(rank(q, 'skill', `x${fold(q)}y`)).toBeDefined()
    },
  )

  test('any query can be asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 256 }), (q) => void rank(q, 'skill', 'react')),
    )
  })

  test('a context is found by its own name, by its id and by any piece of its name', () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (parts, from, size) => {
        const name = foldName(parts.join(' '))
        expect(rank(parts.join(' '), 'skill', name)).toBe(1)
        expect(rank(`skill:${name}`, 'skill', name)).toBe(0)
        const characters = [...name]
        const start = from % characters.length
        const piece = characters.slice(start, start + 1 + (size % characters.length)).join('')
        expect(rank(piece, 'skill', name)).toBeDefined()
      }),
    )
  })

  test('a rank is what its definition says', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ab_'), minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(letters, letters, letters, (q, type, name) => {
        const terms = q.split('_').filter((term) => term !== '')
        const sought = terms.length > 0 ? terms : [q]
        const starts = [...type.split('_'), ...name.split('_')]
        const expected = !sought.every((term) => type.includes(term) || name.includes(term))
          ? undefined
          : name === q
            ? 1
            : name.startsWith(q)
              ? 2
              : sought.every((term) => starts.some((word) => word.startsWith(term)))
                ? 3
                : 4
        expect(rank(q, type, name)).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the order of lists', () => {
  test('is by code unit, the same in every locale', () => {
    expect(['é', 'z', 'a', '10', '9', '_', 'ä'].sort(byCodeUnit)).toEqual([
      '10',
      '9',
      '_',
      'a',
      'z',
      'ä',
      'é',
    ])
  })

  test('is total: antisymmetric, and equal only for equal text', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(byCodeUnit(a, b)) + Math.sign(byCodeUnit(b, a))).toBe(0)
        expect(byCodeUnit(a, b) === 0).toBe(a === b)
      }),
    )
  })
})
