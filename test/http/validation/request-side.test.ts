import { expect, test } from 'vitest'
import { requestSchema } from '../../../src/contract/contract.js'
import { readContract } from '../../../src/contract/read-contract.js'
import { requestSide } from '../../../src/http/validation/validator.js'
import { readOpenApi } from '../../support/openapi.js'

const { document, operations } = readContract(JSON.stringify(readOpenApi()))
const given = readContract(JSON.stringify(requestSide(document)))

test('what the validator is given has every operation, with all that a request of it may hold', () => {
  expect(given.operations).toEqual(operations.map((operation) => ({ ...operation, produces: [] })))
  const fieldsOf = (of: typeof document, operation: (typeof operations)[number]) =>
    Object.entries(requestSchema(of, operation).properties ?? {}).map(([place, schema]) => [
      place,
      'properties' in schema ? Object.keys(schema.properties ?? {}) : '$ref' in schema,
    ])
  for (const operation of operations)
    for (const [place, fields] of fieldsOf(document, operation))
      if (Array.isArray(fields)) expect(fieldsOf(given.document, operation)).toContainEqual([place, fields])
})

test('and neither a reference nor anything of an answer', () => {
  expect(given.json).not.toContain('"$ref"')
  expect(given.json).not.toContain('"Problem"')
  for (const { produces } of given.operations) expect(produces).toEqual([])
})
