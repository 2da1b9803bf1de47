import { expect } from 'vitest'

/** Expects the one shape that every error has, and gives it back. */
export async function expectProblem(response: Response, status: number, code?: string): Promise<Problem> {
  const text = await response.text()
  expect(response.status, text).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  const problem = checkProblem(text, status, response.headers.get('x-request-id') ?? '', code)
  expect(response.headers.get('link')).toBe(helpOf(problem.code))
  return problem
}

/** Where every problem leads by its `Link`. */
export function helpOf(code: string): string {
  return `</docs/problems/${code}>; rel="help"`
}

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly request_id: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

export function checkProblem(text: string, status: number, requestId: string, code?: string): Problem {
  const problem: Problem = JSON.parse(text)
  expect(problem).toEqual({
    type: `urn:loregraph:problem:${code ?? problem.code}`,
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/./),
    code: code ?? expect.stringMatching(/^[a-z][a-z_]*$/),
    request_id: requestId,
    ...(problem.errors !== undefined && { errors: expect.any(Array) }),
  })
  for (const error of problem.errors ?? []) {
    expectFieldError(error)
  }
  return problem
}

const POINTER = /^\/(body|query|path|headers)(\/([^~/]|~[01])*)*$/
/** What a field must be, or a sentence about it; never the words of a validator, nor a pattern. */
const IN_WORDS = /^((must|is|has) (?!NOT|match).*[^.]|[A-Z].*\.)$/su
const PATTERN = /\^\[|\]\*|\\u[0-9a-f]{4}-/

/** A place that can be followed (RFC 6901), and words that a person can act on. */
export function expectFieldError({ path, message }: { path: string; message: string }): void {
  expect(path).toMatch(POINTER)
  expect(message).toMatch(IN_WORDS)
  // What the caller wrote may be quoted, and may look like anything.
  expect(message.replace(/".*"/s, '')).not.toMatch(PATTERN)
}
