import type { components } from '../../contract/generated/api.js'
import { Failure, type FailureCode, type FieldError } from '../../domain/failure.js'

/** The one table of errors: every code with its status and its title. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request does not fit the contract' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_time: { status: 400, title: 'A moment is not allowed' },
  invalid_name: { status: 400, title: 'A name is not allowed' },
  invalid_event: { status: 400, title: 'An event is not allowed' },
  unknown_place: { status: 400, title: 'The graph has not come so far' },
  invalid_import: { status: 400, title: 'The import is not a whole export' },
  invalid_key: { status: 400, title: 'A key is not allowed' },
  unauthorized: { status: 401, title: 'A valid secret is needed' },
  insufficient_scope: { status: 403, title: 'The secret does not allow this' },
  graph_forbidden: { status: 403, title: 'The secret does not reach this graph' },
  origin_forbidden: { status: 403, title: 'Pages of this origin may not call the service' },
  beyond_own_key: { status: 403, title: 'A key cannot give or revoke what it does not hold' },
  too_many_keys: { status: 403, title: 'One key cannot make more keys' },
  source_forbidden: { status: 403, title: 'The secret may not record as this source' },
  not_found: { status: 404, title: 'No such page' },
  graph_not_found: { status: 404, title: 'No such graph' },
  context_not_found: { status: 404, title: 'No such context' },
  memory_not_found: { status: 404, title: 'No such memory' },
  key_not_found: { status: 404, title: 'No such key' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No acceptable form of the answer' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  graph_exists: { status: 409, title: 'The graph exists already' },
  still_running: { status: 409, title: 'The first request is still under way' },
  precondition_failed: { status: 412, title: 'The precondition does not hold' },
  content_too_large: { status: 413, title: 'Too much was sent' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media_type: { status: 415, title: 'The body is of another media type' },
  expectation_failed: { status: 417, title: 'The expectation cannot be met' },
  misdirected_request: { status: 421, title: 'The request is for another host' },
  unknown_memory: { status: 422, title: 'A link leads nowhere' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key cannot be used again' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong inside the service' },
  method_not_implemented: { status: 501, title: 'No such method' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  not_ready: { status: 503, title: 'The service is not ready' },
  storage_unavailable: { status: 503, title: 'The store cannot answer now' },
  storage_full: { status: 507, title: 'There is no room for more' },
  graph_too_large: { status: 507, title: 'The graph does not fit into memory' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>> &
  Readonly<Record<FailureCode, object>>

export type ProblemCode = keyof typeof PROBLEMS

/** Codes of failures before a handler is reached, or around it; some of them a handler may have, too. */
type HttpCode = Exclude<ProblemCode, FailureCode> | 'content_too_large' | 'overloaded'

/** RFC 9457, as in the contract. */
type Problem = components['schemas']['Problem'] & { readonly code: ProblemCode }

/** Thrown by the steps around the handlers; `headers` go with the answer. */
export class HttpFailure extends Error {
  readonly code: HttpCode
  readonly errors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: HttpCode,
    detail: string,
    options: { errors?: readonly FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail)
    this.name = 'HttpFailure'
    this.code = code
    this.errors = options.errors ?? []
    this.headers = options.headers ?? {}
  }
}

/** Refuses fields by name; the detail repeats the first of them, so that it can be read alone. */
export function invalidFields(errors: readonly FieldError[]): HttpFailure {
  const first = errors[0]
  const others = errors.length - 1
  const more = others > 0 ? ` There ${others === 1 ? 'is 1' : `are ${others}`} more; see errors.` : ''
  const detail =
    first === undefined ? 'The request does not fit the contract' : `${first.path} ${first.message}`
  return new HttpFailure('invalid_request', `${detail}.${more}`, { errors })
}

const MAX_ERRORS = 100
const LONGEST_FIELD = 1024
const LONGEST_DETAIL = 4096

/** The problem for an error. One that is neither `HttpFailure` nor `Failure` is internal: its message goes to the log only. */
export function problemOf(error: unknown, requestId: string): Problem {
  const known = error instanceof HttpFailure || error instanceof Failure
  const code = known ? error.code : 'internal_error'
  const detail = known ? error.message : 'The log says more under this request id.'
  const errors = known ? error.errors : []
  const { status, title } = PROBLEMS[code]
  return {
    type: `urn:loregraph:problem:${code}`,
    title,
    status,
    detail: cut(detail, LONGEST_DETAIL),
    code,
    request_id: requestId,
    ...(errors.length > 0 && { errors: errors.slice(0, MAX_ERRORS).map(cutFields) }),
  }
}

/** The challenge of RFC 6750 with which every `WWW-Authenticate` begins. */
export const REALM = 'Bearer realm="loregraph"'

/** Leads to the page about a kind of problem (RFC 8288). */
export function helpLink(code: ProblemCode): string {
  return `</docs/problems/${code}>; rel="help"`
}

/** The headers that go with a problem. */
export function problemHeaders(error: unknown, problem: Problem): Readonly<Record<string, string>> {
  return { Link: helpLink(problem.code), ...ownHeaders(error, problem) }
}

function ownHeaders(error: unknown, problem: Problem): Readonly<Record<string, string>> {
  const own = error instanceof HttpFailure ? error.headers : {}
  switch (problem.code) {
    case 'still_running':
      return { 'Retry-After': '1' }
    case 'graph_forbidden':
    case 'beyond_own_key':
    case 'too_many_keys':
    case 'source_forbidden':
      return { 'WWW-Authenticate': `${REALM}, error="insufficient_scope"` }
    default:
      return problem.status === 503 ? { 'Retry-After': '1', ...own } : own
  }
}

function cutFields({ path, message }: FieldError): FieldError {
  return { path: cutPointer(path), message: cut(message, LONGEST_FIELD) }
}

/** A pointer that is too long leads only part of the way, but still to a place. */
function cutPointer(path: string): string {
  if (path.length <= LONGEST_FIELD) return path
  return path.slice(0, path.lastIndexOf('/', LONGEST_FIELD))
}

/** Shortens what a client made too long to repeat, without cutting a character in two. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
