import type { LoregraphClient, Problem } from '../../client/index.js'

/** A graph of the service, as its tools ask it. */
export interface Asking {
  readonly client: LoregraphClient
  /** The graph that is named, or that the connection is about; rejects with a `Refused` where there is none to choose. */
  readonly graph: (named?: string) => Promise<string>
  /** Those that can be named; of many, the first. */
  readonly graphs: () => Promise<readonly string[]>
}

interface RefusedOptions extends ErrorOptions {
  readonly status?: number
  readonly code?: string
}

/** The service said no, or nothing: one sentence for a model. */
export class Refused extends Error {
  readonly status: number | undefined
  readonly code: string | undefined

  constructor(sentence: string, { status, code, cause }: RefusedOptions = {}) {
    super(sentence, { cause })
    this.name = 'Refused'
    this.status = status
    this.code = code
  }
}

interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The data of an answer; a `Refused` with the detail of the problem if it is none. */
export async function dataOf<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw new Refused(unreachable(cause), { cause })
  })
  if (response.ok && data !== undefined) return data
  const { status } = response
  if (isProblem(error)) throw new Refused(sentenceOf(error), { status, code: error.code })
  throw new Refused(
    `What answered with status ${status} is not Loregraph. Check the address; go on without it.`,
    { status },
  )
}

/** A graph comes to be with its first event, and is an empty one until then. */
export async function orEmpty<T>(asked: Promise<T>, empty: NoInfer<T>): Promise<T> {
  return (await unlessRefused(asked, ({ code }) => code === 'graph_not_found')) ?? empty
}

/** Undefined where it is refused in the way that is expected. */
export async function unlessRefused<T>(
  asked: Promise<T>,
  isExpected: (error: Refused) => boolean = () => true,
): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof Refused && isExpected(error)) return undefined
    throw error
  })
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'detail' in error && 'code' in error
}

/**
 * The detail and each field that it does not tell, in the words of the tool: what REST calls `/body/limit` is `limit`, and a
 * context id is given in `context_types`.
 */
function sentenceOf({ detail, errors = [] }: Problem): string {
  const main = detail.replace(/ There (?:is|are) \d+ more; see errors\.$/, '')
  const fields = errors.map(({ path, message }) => `${path} ${message.replace(/\.$/, '')}.`)
  return [main, ...fields.filter((field) => !main.startsWith(field))]
    .map((line) =>
      line.replace(/^\/(?:body|query|path)\/(?=\w)/, '').replace(/^context_ids\/\d+/, 'context_types'),
    )
    .join('\n')
}

function unreachable(error: unknown): string {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  if (isLate) return 'Loregraph did not answer in time. Go on without it, and tell the user.'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `Loregraph cannot be reached${code}: the service is not running, or listens elsewhere. Go on without it, and tell the user.`
}

export interface Told {
  /** Markdown. */
  readonly text: string
  /** Every fact of the text: some hosts show a model nothing else. */
  readonly data: Readonly<Record<string, unknown>>
}

/** A question that fits: never refused for its length, not cut in the middle of a character. */
export function cutTo(characters: number, question: string): string {
  return question
    .replaceAll('\0', ' ')
    .slice(0, characters)
    .replace(/[\ud800-\udbff]$/, '')
}
