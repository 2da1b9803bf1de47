import { describe, expect, test } from 'vitest'
import { fromFacts, fromMemoryServer } from '../../../src/domain/transfer/other-formats.js'

const lines = (...values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n')
const ada = {
  type: 'entity',
  name: 'Ada Lovelace',
  entityType: 'Person',
  observations: ['Writes programs', 'Likes maths'],
}
const acme = { type: 'entity', name: 'Acme', entityType: 'org:unit', observations: [] }

describe('memory.jsonl of the MCP memory server', () => {
  test('each observation is a fact in the context of its entity', () => {
    expect(fromMemoryServer(lines(ada))).toEqual([
      {
        contextId: 'person:ada_lovelace',
        eventKind: 'fact',
        source: 'agent',
        payload: { fact: 'Writes programs' },
        links: [],
      },
      {
        contextId: 'person:ada_lovelace',
        eventKind: 'fact',
        source: 'agent',
        payload: { fact: 'Likes maths' },
        links: [],
      },
    ])
  })

  test('each relation is a fact that is related to the other end, wherever the entities stand', () => {
    const relation = { type: 'relation', from: 'Ada Lovelace', to: 'Acme', relationType: 'works_at' }
    const events = fromMemoryServer(`${lines(relation, acme, ada)}\n\n`)
    expect(events[0]).toEqual({
      contextId: 'person:ada_lovelace',
      eventKind: 'fact',
      source: 'agent',
      payload: { fact: 'Ada Lovelace works at Acme', relation: 'works_at' },
      links: [{ kind: 'related-to', target: 'org_unit:acme' }],
    })
  })

  test('an entity without observations is not lost, nor is a relation to an entity that is not there', () => {
    expect(fromMemoryServer(lines(acme))).toMatchObject([
      { contextId: 'org_unit:acme', payload: { fact: 'Acme is one of org:unit' } },
    ])
    const relation = { type: 'relation', from: 'Acme', to: 'Nobody', relationType: 'hires' }
    expect(fromMemoryServer(lines(acme, relation))[1]?.links).toEqual([
      { kind: 'related-to', target: 'entity:nobody' },
    ])
  })

  test.each([
    ['text', 'hello', '/body/1'],
    ['an array', '[]', '/body/1'],
    ['another type', lines(ada, { type: 'x' }), '/body/2/type'],
    ['no name', lines({ ...ada, name: undefined }), '/body/1/name'],
    ['a blank name', lines({ ...ada, name: ' ' }), '/body/1/name'],
    ['a name that is too long', lines(ada, { ...ada, name: 'x'.repeat(201) }), '/body/2/name'],
    ['an observation that is no text', lines({ ...ada, observations: ['a', 1] }), '/body/1/observations/1'],
    ['an observation that is too large', lines({ ...ada, observations: ['x'.repeat(70_000)] }), '/body/1'],
    ['an observation with NUL', lines({ ...ada, observations: ['a\0b'] }), '/body/1/fact'],
    ['observations that are no array', lines({ ...ada, observations: 'a' }), '/body/1/observations'],
    [
      'a relation without an end',
      lines(ada, { type: 'relation', from: 'Ada Lovelace', relationType: 'x' }),
      '/body/2/to',
    ],
  ])('%s is refused with its line', (_what, text, path) => {
    expect(() => fromMemoryServer(text)).toThrow(
      expect.objectContaining({ code: 'invalid_import', errors: [expect.objectContaining({ path })] }),
    )
  })
})

describe('a plain list of facts', () => {
  const fact = (text: string) => ({
    contextId: 'skill:a',
    eventKind: 'fact',
    source: 'agent',
    payload: { fact: text },
    links: [],
  })

  test('one a line, blank lines passed over; or a JSON array', () => {
    expect(fromFacts(' one\r\n\n two \n', 'skill:a')).toEqual([fact('one'), fact('two')])
    expect(fromFacts('["one", "two\\nlines"]', 'skill:a')).toEqual([fact('one'), fact('two\nlines')])
    expect(fromFacts('', 'skill:a')).toEqual([])
  })

  test('a line may start with a bracket', () => {
    const log = '[2026-03-01] Deployed v2\nRolled back'
    expect(fromFacts(log, 'skill:a')).toEqual([fact('[2026-03-01] Deployed v2'), fact('Rolled back')])
    expect(fromFacts('[x]', 'skill:a')).toEqual([fact('[x]')])
  })

  test.each([
    ['an array that is cut off', '["a"', '/body/1'],
    ['an item that is no text', '["a", 1]', '/body/2'],
    ['a NUL character', '\n\nfirst\0fact\n', '/body/3/fact'],
    ['half of a surrogate pair', '["a", "\\ud800"]', '/body/2/fact'],
    ['a fact that is too large', `a\n${'x'.repeat(70_000)}`, '/body/2'],
  ])('%s is refused with its place', (_what, text, path) => {
    expect(() => fromFacts(text, 'skill:a')).toThrow(
      expect.objectContaining({ code: 'invalid_import', errors: [expect.objectContaining({ path })] }),
    )
  })
})
