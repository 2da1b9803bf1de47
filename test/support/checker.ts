import { expect } from 'vitest'
import { eventLines, exportOf, NDJSON } from './ndjson.js'
import { closed, createSchemas, type Described, deref, type OpenApi, operationsOf } from './openapi.js'
import { expectFieldError, helpOf, type Problem } from './problem.js'
import type { RawResponse } from './wire.js'

/** Holds the bytes of an answer against what the contract says of the operation, and gives back the parsed body. */
export interface Checker {
  readonly operations: ReadonlyMap<string, Described>
  /** Any documented answer; undefined for one without a body. */
  check(operationId: string, received: RawResponse): unknown
  /** An error of any path, documented for an operation or not. */
  checkProblem(received: RawResponse): Problem
}

export function createChecker(document: OpenApi): Checker {
  // An answer that carries a field the contract does not know is as wrong as one that lacks a field.
  const strict = closed(document)
  const schemas = createSchemas(strict)
  const operations = new Map(operationsOf(strict).map((operation) => [operation.id, operation]))
  const problem = { $ref: '#/components/schemas/Problem' }

  function checkProblem(received: RawResponse): Problem {
    const { status, headers, text } = received
    expect(headers['content-type'], text).toBe('application/problem+json; charset=utf-8')
    const body = JSON.parse(text)
    const validate = schemas(problem)
    expect(validate(body) ? [] : validate.errors, text).toEqual([])
    expect(body).toMatchObject({
      status,
      type: `urn:loregraph:problem:${body.code}`,
      request_id: headers['x-request-id'],
    })
    expect(headers['link']).toBe(helpOf(body.code))
    for (const error of body.errors ?? []) expectFieldError(error)
    return body
  }

  /** The lines of an export, each held against the schema of one. */
  function checkLines(text: string): unknown {
    const lines = eventLines(text).map((line): unknown => JSON.parse(line))
    const validate = schemas({ $ref: '#/components/schemas/PastEvent' })
    for (const line of lines) expect(validate(line) ? [] : validate.errors, JSON.stringify(line)).toEqual([])
    const [header] = text.split('\n')
    expect(exportOf(eventLines(text)).replace(/^.*/, () => header ?? '')).toBe(text)
    return lines
  }

  function check(operationId: string, received: RawResponse): unknown {
    const { status, headers, text } = received
    const operation = operations.get(operationId)
    if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`)
    const { responses } = operation.object
    const described = responses[status] ?? (status >= 400 ? responses['default'] : undefined)
    if (described === undefined) throw new Error(`${operationId} answers ${status}, undocumented: ${text}`)
    const response = deref(strict, described)
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const { schema } = deref(strict, header)
      const value = headers[name.toLowerCase()]
      const isDigits = schema.type === 'integer' && typeof value === 'string' && /^\d+$/.test(value)
      expect(
        schemas(schema)(isDigits ? Number(value) : value),
        `${operationId} ${status}: header ${name}`,
      ).toBe(true)
    }
    if (status >= 400) return checkProblem(received)
    const [type, media] = Object.entries(response.content ?? {})[0] ?? []
    if (type === undefined) {
      expect(text).toBe('')
      return undefined
    }
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
    if (type === NDJSON) return checkLines(text)
    if (!type.endsWith('json') || media?.schema === undefined) return text
    const body: unknown = JSON.parse(text)
    const validate = schemas(media.schema)
    expect(validate(body) ? [] : validate.errors, `${operationId} ${status}: ${text.slice(0, 2000)}`).toEqual(
      [],
    )
    return body
  }

  return { operations, check, checkProblem }
}
