import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Handlers } from '../../../src/contract/operations.js'
import { Failure } from '../../../src/domain/failure.js'
import { HttpFailure, invalidFields, problemOf } from '../../../src/http/problems/problems.js'
import { startTestServer, type TestServer } from '../../support/server.js'

const contract = parse(await readFile(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8'))
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const fitsContract = ajv
  .addSchema(contract, 'contract')
  .compile({ $ref: 'contract#/components/schemas/Problem' })

let thrown: unknown
let server: TestServer
beforeAll(async () => {
  const getMemory: Handlers['getMemory'] = async () => {
    throw thrown
  }
  server = await startTestServer({ handlers: { getMemory } })
})
afterAll(() => server.stop())

const MEMORY = '/v1/memories/demo/mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'

describe('B12: one error shape', () => {
  test.each([
    ['graph_not_found', 404],
    ['context_not_found', 404],
    ['memory_not_found', 404],
    ['invalid_name', 400],
    ['invalid_event', 400],
    ['content_too_large', 413],
    ['unknown_memory', 422],
    ['storage_full', 507],
    ['graph_too_large', 507],
    ['storage_unavailable', 503],
  ] as const)('a failure %s is a %i', async (code, status) => {
    thrown = new Failure(code, 'What to do.', { errors: [{ path: '/body/x', message: 'must be y' }] })
    const answer = await server.call(MEMORY)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({
      code,
      detail: 'What to do.',
      errors: [{ path: '/body/x', message: 'must be y' }],
    })
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null)
    expect(fitsContract(answer.body), JSON.stringify(fitsContract.errors)).toBe(true)
  })

  test.each([new TypeError('inner'), 'a string', null, undefined, { status: 404 }])(
    '%s is a 500 that says nothing',
    async (error) => {
      thrown = error
      const answer = await server.call(MEMORY)
      expect(answer.status).toBe(500)
      expect(answer.body['detail']).toBe('The log says more under this request id.')
      expect(fitsContract(answer.body)).toBe(true)
    },
  )

  test('whatever a client sends, what is repeated of it stays within the contract', () => {
    const long = '🦊'.repeat(5_000)
    const errors = Array.from({ length: 500 }, () => ({ path: `/body/${long}`, message: long }))
    for (const error of [
      invalidFields(errors),
      new HttpFailure('not_found', long),
      new Failure('invalid_name', long),
    ]) {
      const problem = problemOf(error, 'id')
      expect(fitsContract(problem), JSON.stringify(fitsContract.errors)).toBe(true)
      expect(JSON.stringify(problem)).not.toMatch(/\\ud[89a-f]/)
    }
  })
})
