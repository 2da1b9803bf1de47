import type { Problem } from '../../client/index.js'

/** Why something could not be had, in words for the reader. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, detail: string) {
    super(detail)
    this.status = status
    this.code = code
  }

  /** What was asked for is not there (any more). */
  get isGone(): boolean {
    return this.status === 404
  }

  get isUnreachable(): boolean {
    return this.status === 0 || this.status === 503
  }
}

const UNREACHABLE = 'The service does not answer. It is asked again every few seconds.'

interface Answered<Data> {
  readonly data?: Data
  readonly error?: Partial<Problem> | string
  readonly response: Response
}

/** What a call of the client answered with; a `Refusal` is thrown for everything else. */
export async function answered<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await call.catch((reason: unknown) => {
    throw toRefusal(reason)
  })
  if (data !== undefined && response.ok) return data
  const { code = 'unknown', detail } = typeof error === 'object' ? error : {}
  throw new Refusal(response.status, code, detail ?? `The service answered with status ${response.status}.`)
}

export function toRefusal(reason: unknown): Refusal {
  if (reason instanceof Refusal) return reason
  // What `fetch` throws, it throws before there is an answer.
  if (reason instanceof TypeError) return new Refusal(0, 'unreachable', UNREACHABLE)
  return new Refusal(-1, 'page', reason instanceof Error ? reason.message : String(reason))
}
