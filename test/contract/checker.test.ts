import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraries } from '../support/arbitrary.js'
import { createChecker } from '../support/checker.js'
import {
  createSchemas,
  deref,
  type OpenApi,
  operationsOf,
  readOpenApi,
  type Schema,
} from '../support/openapi.js'
import { requestsOf } from '../support/requests.js'
import type { RawResponse } from '../support/wire.js'

/** The tests that are made from the contract are tested here: a checker that sees nothing finds nothing. */

const document = readOpenApi()
const checker = createChecker(document)

const memory = {
  event_id: `mem_${'0'.repeat(26)}`,
  context_id: 'a:b',
  status: 'recorded',
  confidence: 0.6,
  bears_on: [],
}
const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' }
const answer = (body: object, more: Partial<RawResponse> = {}): RawResponse => ({
  status: 201,
  headers,
  text: JSON.stringify(body),
  ...more,
})
const problem = {
  type: 'urn:loregraph:problem:not_found',
  title: 'x',
  status: 404,
  detail: 'x',
  code: 'not_found',
  request_id: 'r',
}
const help = '</docs/problems/not_found>; rel="help"'
const refusal = (body: object, type = 'application/problem+json; charset=utf-8', link = help) =>
  answer(body, { status: 404, headers: { ...headers, 'content-type': type, link } })

describe('the checker', () => {
  test('takes what fits', () => {
    expect(checker.check('recordEvent', answer(memory))).toEqual(memory)
    expect(checker.check('recordEvent', refusal(problem))).toEqual(problem)
  })

  test.each<[string, RawResponse]>([
    ['a field too many', answer({ ...memory, extra: 1 })],
    ['a field too few', answer({ ...memory, status: undefined })],
    ['a value out of bounds', answer({ ...memory, confidence: 2 })],
    ['a status that is not documented', answer(memory, { status: 202 })],
    ['a wrong media type', answer(memory, { headers: { ...headers, 'content-type': 'text/html' } })],
    [
      'a documented header that is missing',
      answer(memory, { headers: { 'content-type': headers['content-type'] } }),
    ],
    ['an error that is no problem', refusal({ error: 'x' })],
    ['a problem of another type', refusal(problem, 'application/json; charset=utf-8')],
    ['a problem of another status', refusal({ ...problem, status: 400 })],
    ['a problem of another request', refusal({ ...problem, request_id: 's' })],
    ['a problem whose type is not its code', refusal({ ...problem, type: 'urn:loregraph:problem:x' })],
    ['a stack', refusal({ ...problem, stack: 'at x' })],
  ])('sees %s', (_what, received) => {
    expect(() => checker.check('recordEvent', received)).toThrow()
  })

  test('sees a body where there must be none', () => {
    expect(() =>
      checker.check('getMemory', answer(memory, { status: 304, headers: { ...headers, etag: '"x"' } })),
    ).toThrow()
  })
})

describe('the arbitraries', () => {
  const schemas = createSchemas(document)
  const values = arbitraries(document, {}, schemas)

  /** What is sent a line at a time is made a line at a time. */
  const partOf = (schema: Schema) => deref(document, schema).contentSchema ?? schema

  test.each(
    operationsOf(document).flatMap(({ id, body }) =>
      body?.media.schema ? [{ id, schema: partOf(body.media.schema) }] : [],
    ),
  )('$id: what is called valid fits, what is called invalid does not', ({ schema }) => {
    const validate = schemas(schema)
    fc.assert(
      fc.property(values.valid(schema), (value) => validate(value)),
      { numRuns: 50 },
    )
    fc.assert(
      fc.property(values.invalid(schema), (value) => !validate(value)),
      { numRuns: 50 },
    )
  })

  test('every field of a request is left out, spoilt and surrounded by unknown ones', () => {
    const schema = { $ref: '#/components/schemas/InsightRequest' }
    const validate = schemas(schema)
    const seen = new Set<string>()
    for (const value of fc.sample(values.invalid(schema), { numRuns: 1500, seed: 1 })) {
      validate(value)
      for (const { keyword, instancePath, params } of validate.errors ?? [])
        seen.add(`${keyword} ${instancePath.split('/')[1] ?? params['missingProperty'] ?? ''}`.trim())
    }
    for (const mistake of [
      'required task',
      'required graph_id',
      'additionalProperties',
      'type',
      'type task',
      'minLength task',
      'maxLength task',
      'pattern graph_id',
      'minimum limit',
      'maximum limit',
      'type explain',
      'maxProperties context_types',
      'propertyNames context_types',
      'maxItems context_ids',
      'pattern context_ids',
    ])
      expect([...seen]).toContain(mistake)
  })

  test('a keyword that they do not know is not passed over', () => {
    expect(() => values.valid({ type: 'string', contentEncoding: 'base64' } as object)).toThrow(
      'contentEncoding',
    )
  })

  test('an operation that the contract has gained is fuzzed without a change', () => {
    const gained = structuredClone(document) as OpenApi & { paths: Record<string, unknown> }
    const { responses } = deref(
      gained,
      operationsOf(gained)[0]?.object as { responses: object; $ref?: string },
    )
    const key = {
      name: 'key_id',
      in: 'path',
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: 9 },
    }
    const dry = { name: 'dry_run', in: 'query', schema: { type: 'boolean' } }
    const header = {
      name: 'Idempotency-Key',
      in: 'header',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }
    gained.paths['/v1/keys/{key_id}'] = {
      delete: { operationId: 'revokeKey', parameters: [key, dry, header], responses },
    }
    const operation = operationsOf(gained).find(({ id }) => id === 'revokeKey')
    if (operation === undefined) throw new Error('The operation is not there.')
    const { valid, invalid, hostile } = requestsOf(gained, operation, arbitraries(gained))
    for (const requests of [valid, invalid, hostile])
      for (const { method, target } of fc.sample(requests, 50)) {
        expect(method).toBe('DELETE')
        expect(target).toMatch(/^\/v1\/keys\/[!-~]+$/)
      }
  })
})
