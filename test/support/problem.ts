import { expect } from 'vitest'

/** Expects the one shape that every error has, and gives it back. */
export async function expectProblem(response: Response, status: number, code?: string): Promise<Problem> {
  const text = await response.text()
  expect(response.status, text).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  return checkProblem(text, status, response.headers.get('x-request-id') ?? '', code)
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
    expect(error.path).toMatch(/^\/(body|query|path|headers)/)
    expect(error.message).not.toBe('')
  }
  return problem
}
