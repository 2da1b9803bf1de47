import { createHash, type Hash } from 'node:crypto'
import { createRandom } from '../support/random.js'
import { makeFolder, type Place, type Service, startService } from './service.js'

export interface Ask {
  /** Of the contract; answers are counted under it. */
  readonly operation: string
  readonly method?: string
  readonly path: string
  /** Sent as JSON; a string is sent as the lines of an export. */
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply {
  readonly status: number
  readonly text: string
}

/** Takes each answer, with what was asked, as text. */
export type Keep = (operation: string, text: string) => void

const PIECEMEAL = ['exportGraph', 'followGraph', 'importGraph']
const ID_BYTES = 16

/** A service with a clock and with chance that are the same in every run, and the hashes of all that it answered. */
export class Session {
  requests = 0
  readonly #place: Place
  readonly #keep: Keep
  readonly #random: () => number
  readonly #hashes = new Map<string, Hash>()
  #time = Date.parse('2026-01-05T08:00:00Z')
  #bytes = new Uint8Array(ID_BYTES)
  #service: Service | undefined

  private constructor(place: Place, seed: number, keep: Keep) {
    this.#place = place
    this.#random = createRandom(seed)
    this.#keep = keep
  }

  /** The hash of the answers of each operation that `play` asked. */
  static async run(
    seed: number,
    play: (session: Session) => Promise<void>,
    keep: Keep = () => {},
    makePlace: () => Promise<Place> = makeFolder,
  ) {
    const place = await makePlace()
    const session = new Session(place, seed, keep)
    try {
      await session.restart()
      await play(session)
    } finally {
      await session.#service?.stop()
      await place.remove()
    }
    const hashes = new Map([...session.#hashes].map(([operation, hash]) => [operation, hash.digest('hex')]))
    return { hashes, requests: session.requests }
  }

  get now(): Date {
    return new Date(this.#time)
  }

  /**
   * Lets time pass, after which there are other random bytes: the same ones however often they are asked for until then,
   * so that nothing depends on who else asks for some.
   */
  pass(seconds: number): void {
    this.#time += 1000 * seconds
    this.#bytes = Uint8Array.from({ length: ID_BYTES }, () => 256 * this.#random())
  }

  async restart(): Promise<void> {
    await this.#service?.stop()
    const randomBytes = (size: number) =>
      Uint8Array.from({ length: size }, (_, i) => this.#bytes[i % ID_BYTES] ?? 0)
    this.#service = await startService(this.#place, { now: () => this.now, randomBytes })
  }

  async loadDemo(): Promise<void> {
    await this.#running.loadDemo()
  }

  async ask(ask: Ask): Promise<Reply> {
    const [reply = { status: 0, text: '' }] = await this.askAll([ask])
    return reply
  }

  /** Asks at once, and takes the answers in the order of the questions. */
  async askAll(asks: readonly Ask[]): Promise<Reply[]> {
    const answers = await Promise.all(asks.map((ask) => this.#answer(ask)))
    for (const [i, { operation, method = 'GET', path, body = '' }] of asks.entries()) {
      const { status = 0, link = '', text = '' } = answers[i] ?? {}
      const sent = typeof body === 'string' ? body : JSON.stringify(body)
      this.#take(operation, `${method} ${path} ${sent}\n${status} ${link}\n${text}\n`)
    }
    return answers
  }

  async #answer({ operation, method = 'GET', path, body, headers }: Ask): Promise<Reply & { link: string }> {
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const init = {
      method,
      headers: { ...headers, ...(sent !== undefined && { 'Content-Type': type }) },
      ...(sent !== undefined && { body: sent }),
    }
    const wire = PIECEMEAL.includes(operation) ? 'connection' : 'inner'
    const response = await this.#running.fetch(path, init, wire)
    const { status } = response
    const text = operation === 'followGraph' ? await untilQuiet(response) : await response.text()
    if (status >= 500) throw new Error(`${method} ${path} ${sent ?? ''}: ${status} ${text}`)
    return { status, link: response.headers.get('Link') ?? '', text }
  }

  #take(operation: string, text: string): void {
    const hash = this.#hashes.get(operation) ?? createHash('sha256')
    this.#hashes.set(operation, hash.update(text))
    this.#keep(operation, text)
    this.requests += 1
  }

  get #running(): Service {
    if (this.#service === undefined) throw new Error('The service has not been started yet.')
    return this.#service
  }
}

/** The events of a feed up to the first comment, which says that there are no more. */
async function untilQuiet({ body }: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const end = text.search(/^:/m)
    if (end !== -1) return text.slice(0, end)
  }
  return text
}
