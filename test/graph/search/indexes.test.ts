import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byCodeUnit, contextId, fold, nameRank, parseNameQuery } from '../../../src/domain/names.js'
import { inverseDocumentFrequency, termScore } from '../../../src/domain/search/bm25.js'
import { stemsOf } from '../../../src/domain/search/text-analysis.js'
import { Contexts } from '../../../src/graph/contexts.js'
import { NOW } from '../../../src/graph/rows.js'
import { TermIndex } from '../../../src/graph/search/term-index.js'
import { WordTable } from '../../../src/graph/search/word-table.js'

const name = fc
  .oneof(
    fc.stringMatching(/^[ab_. -]{1,12}$/),
    fc.constantFrom(
      'react hooks',
      'React_Hooks',
      'use-react',
      'preact',
      '__proto__',
      'é clair',
      '😀😀',
      'x:y/z',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  .map(fold)
  .filter((folded) => folded !== '')
const type = name.map((folded) => folded.replaceAll(':', '')).filter((folded) => folded !== '')

const FIRST = { place: 1, recordedAt: '' }
const PRESENT = { place: NOW, memories: 0 }

describe('name search', () => {
  test('finds exactly what looking at every name finds, in the same order, page by page', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(type, name), { minLength: 1, maxLength: 60 }),
        fc.oneof(name, fc.string({ maxLength: 6 }), fc.stringMatching(/^[ab_ ]{1,5}$/)),
        fc.integer({ min: 1, max: 7 }),
        (pairs, q, pageSize) => {
          const contexts = new Contexts()
          // Enough others that looking at all of them is not the quicker way.
          for (let i = 0; i < 200; i++) contexts.ensure(`filler:q${i}`, FIRST)
          for (const [type, name] of pairs) contexts.ensure(contextId(type, name), FIRST)
          const query = parseNameQuery(q)
          const all = [...new Set(pairs.map(([type, name]) => contextId(type, name)))]
          for (let i = 0; i < 200; i++) all.push(`filler:q${i}`)
          const expected = [...new Set(all)]
            .flatMap((id) => {
              const colon = id.indexOf(':')
              const rank = nameRank(query, id.slice(0, colon), id.slice(colon + 1))
              return rank === undefined ? [] : [{ id, rank }]
            })
            .sort((a, b) => a.rank - b.rank || byCodeUnit(a.id, b.id))
            .map(({ id }) => id)
          for (const page of [0, 1, 2]) {
            const found = contexts.search(query, { page, pageSize }, PRESENT)
            expect(found.total).toBe(expected.length)
            expect(found.items.map(({ contextId }) => contextId)).toEqual(
              expected.slice(page * pageSize, (page + 1) * pageSize),
            )
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('sees contexts that come after a search', () => {
    const contexts = new Contexts()
    contexts.ensure('skill:react', FIRST)
    const search = () => contexts.search(parseNameQuery('react'), { page: 0, pageSize: 10 }, PRESENT).total
    expect(search()).toBe(1)
    contexts.ensure('skill:react_hooks', FIRST)
    expect(search()).toBe(2)
  })
})

describe('words recognised without strings', () => {
  test('are the stems that the domain finds, in order, for any text', () => {
    const numbers = new Map<string, number>()
    const numberOf = (stem: string) => {
      const number = numbers.get(stem) ?? numbers.size
      numbers.set(stem, number)
      return number
    }
    const tokens = new WordTable((word) => stemsOf(word).map(numberOf), 1)
    const text = fc.oneof(
      fc.lorem({ maxCount: 30 }),
      fc.string({ unit: 'binary-ascii', maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom("don't", 'useState HTTPServer base64Encode', 'v1.2.3-rc4', 'the_and a', ''),
    )
    fc.assert(
      fc.property(text, (text) => {
        const found: number[] = []
        if (!tokens.read(text, (term) => found.push(term))) return found.length === 0
        expect(found).toEqual(stemsOf(text).map(numberOf))
        return true
      }),
      { numRuns: 2000 },
    )
  })
})

function allOf<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

describe('retrieval', () => {
  test('scores and ranks like the formula, whether documents came before the index was built or after', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'kappa', 'omega')
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { maxLength: 8 }), { minLength: 1, maxLength: 25 }),
        fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat({ max: 25 }),
        (documents, words, limit, builtAfter) => {
          const index = new TermIndex(1)
          documents.forEach((words, i) => {
            if (i === builtAfter) for (const _ of index.settle());
            index.add(allOf(index.read([words.join(' ')])))
          })
          const terms = words.flatMap((word) => stemsOf(word))
          const stems = documents.map((words) => stemsOf(words.join(' ')))
          const average = stems.flat().length / stems.length
          const expected = stems
            .map((own, document) => {
              const matched = terms.filter((term) => own.includes(term))
              const score = matched.reduce((sum, term) => {
                const holding = stems.filter((other) => other.includes(term)).length
                const idf = inverseDocumentFrequency(stems.length, holding)
                return sum + termScore(idf, own.filter((stem) => stem === term).length, own.length, average)
              }, 0)
              return { document, score, matched }
            })
            .filter(({ matched }) => matched.length > 0)
            .sort((a, b) => b.score - a.score || a.document - b.document)
            .slice(0, limit)
          expect(index.search(terms, limit, undefined, stems.length)).toEqual(expected)
        },
      ),
      { numRuns: 300 },
    )
  })
})
