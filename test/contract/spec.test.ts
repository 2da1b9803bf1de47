import { describe, expect, test } from 'vitest'
import { type OpenApi, readOpenApi } from '../support/openapi.js'
import { findingsIn } from '../support/spec-rules.js'

const contract = readOpenApi()

test('A1: the contract is complete and bounded', () => {
  expect([...findingsIn(contract)]).toEqual([])
})

/** A piece of the contract that a mistake is planted in. */
type Piece = Record<string, unknown>

/** Follows the keys into a fresh copy of the contract and lets `plant` change what is there. */
function planted(path: readonly string[], plant: (piece: Piece) => void): OpenApi {
  const document = structuredClone(contract)
  let here = document as unknown as Piece
  for (const key of path) {
    const next = here[key]
    if (typeof next !== 'object' || next === null) throw new Error(`The contract has no ${path.join(' ')}.`)
    here = next as Piece
  }
  plant(here)
  return document
}

const without = (key: string) => (piece: Piece) => {
  if (!(key in piece)) throw new Error(`There is no ${key} to take away.`)
  delete piece[key]
}
const withValue = (key: string, value: unknown) => (piece: Piece) => {
  piece[key] = value
}
const schema = (...path: string[]) => ['components', 'schemas', ...path]
const record = ['paths', '/v1/events', 'post']
const browse = ['paths', '/v1/contexts/{graph_id}', 'get']
const json = ['content', 'application/json']

describe('A1: the test sees', () => {
  test.each<[string, readonly string[], (piece: Piece) => void, string]>([
    [
      'a string without an upper bound',
      schema('InsightRequest', 'properties', 'task'),
      without('maxLength'),
      'no maxLength',
    ],
    [
      'a problem that leads to no page',
      ['components', 'responses', 'Failed', 'headers'],
      without('Link'),
      'default leads to no help',
    ],
    ['a pattern that nobody puts in words', schema('GraphId'), without('x-hint'), 'no x-hint'],
    ['an array without one', schema('ContextIds'), without('maxItems'), 'no maxItems'],
    ['a map without one', schema('ContextTypeFilter'), without('maxProperties'), 'no maxProperties'],
    ['an integer without one', schema('MemoryLimit'), without('maximum'), 'no maximum'],
    [
      'a map whose keys are unbounded',
      schema('ContextTypeFilter'),
      without('propertyNames'),
      'no propertyNames',
    ],
    [
      'a key without an upper bound',
      schema('ContextType'),
      without('maxLength'),
      '{key}→ContextType: no maxLength',
    ],
    [
      'a parameter without an upper bound',
      ['components', 'parameters', 'PageSize', 'schema'],
      without('maximum'),
      'page_size: no maximum',
    ],
    ['an open request', schema('Event'), without('additionalProperties'), 'Event: not closed'],
    [
      'an open item of a request',
      schema('BatchEvent'),
      withValue('additionalProperties', true),
      'BatchEvent: not closed',
    ],
    [
      'a value of any type',
      schema('InsightRequest', 'properties', 'explain'),
      without('type'),
      'explain: no type',
    ],
    ['no operationId', record, without('operationId'), 'POST /v1/events: operationId'],
    ['two tags', record, withValue('tags', ['Events', 'Memories']), 'recordEvent: one tag'],
    ['no scope', record, without('x-required-scope'), 'recordEvent: scope'],
    ['no 401', [...record, 'responses'], without('401'), 'recordEvent: no 401'],
    ['no 403', [...record, 'responses'], without('403'), 'recordEvent: no 403'],
    ['no default', [...browse, 'responses'], without('default'), 'browseContexts: no default'],
    [
      'a request without an example',
      [...record, 'requestBody', ...json],
      without('examples'),
      'recordEvent request application/json: no example',
    ],
    [
      'a response without an example',
      [...record, 'responses', '201', ...json],
      without('example'),
      'recordEvent 201 application/json: no example',
    ],
    [
      'an error without an example',
      ['components', 'responses', 'BadRequest', 'content', 'application/problem+json'],
      without('example'),
      '400 application/problem+json: no example',
    ],
    [
      'a parameter without an example',
      ['components', 'parameters', 'GraphInPath'],
      without('example'),
      'graph_id: no example',
    ],
    [
      'free text without allowReserved',
      ['components', 'parameters', 'SearchFor'],
      without('allowReserved'),
      'q: free text',
    ],
    [
      'two media types',
      [...record, 'responses', '201', 'content'],
      withValue('text/csv', { example: '' }),
      '201: more than one media type',
    ],
    [
      'an inline request',
      [...record, 'requestBody', ...json],
      withValue('schema', { type: 'object' }),
      'request application/json: a schema that is not named',
    ],
    [
      'an inline property',
      schema('Memory', 'properties'),
      withValue('links', { type: 'object' }),
      'Memory.links: an object',
    ],
    [
      'an inline item',
      schema('RecordedEvents', 'properties', 'results'),
      withValue('items', { type: 'object' }),
      'RecordedEvents.results[]: an object',
    ],
    ['oneOf', schema('ContextIndex'), withValue('oneOf', []), 'ContextIndex: oneOf'],
    [
      'an example of a request that does not fit',
      [...record, 'requestBody', ...json, 'examples', 'fact', 'value'],
      without('payload'),
      'recordEvent request fact: the example',
    ],
    [
      'an example of a response that does not fit',
      [...record, 'responses', '201', ...json, 'example'],
      withValue('status', 'maybe'),
      'recordEvent 201 example: the example',
    ],
    [
      'an example of a parameter that does not fit',
      ['components', 'parameters', 'PageSize'],
      withValue('example', 501),
      'page_size: the example',
    ],
  ])('%s', (_what, path, plant, finding) => {
    const seen: string[] = []
    for (const found of findingsIn(planted(path, plant))) {
      seen.push(found)
      if (found.includes(finding)) return
    }
    expect(seen).toContain(finding)
  })
})

test('an event of a batch has all fields of an event but those that are for the whole request', () => {
  const schemas = contract.components['schemas'] as Readonly<Record<string, { properties?: Piece }>>
  const { graph_id, similar, dry_run, ...ofOne } = schemas['Event']?.properties ?? {}
  expect([graph_id, similar, dry_run]).not.toContain(undefined)
  expect(schemas['BatchEvent']?.properties).toEqual(ofOne)
})
