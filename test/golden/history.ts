import { createRandom } from '../support/random.js'
import { Known, post, type Question, readPast, readPresent } from './readings.js'
import type { Reply, Session } from './session.js'

/** What is spoken of, and what has to do with it; `#` is said in several ways. */
const SUBJECTS: readonly (readonly [contextId: string, text: string, question: string])[] = [
  ['tool:ci', 'The build on the CI server takes # minutes', 'How long does the build take?'],
  ['tool:ci', 'The CI workers have # GB of memory', 'How much memory do the workers have?'],
  ['Tool:CI  Cache', 'The cache of the build is kept for # days', 'How long is the cache kept?'],
  ['decision:test_runner', 'Use vitest # for the unit tests', 'Which test runner do we use?'],
  ['decision:database', 'Orders are kept in PostgreSQL #', 'Which database has the orders?'],
  ['person:ana', 'Ana approves refunds above # euros', 'Who approves refunds?'],
  ['person:ünal', 'Ünal is on call in week #', 'Who is on call?'],
  ['error:timeout/payments', 'Payments time out after # seconds', 'Why do payments time out?'],
  ['shop:hosting', 'The shop runs on # machines in Frankfurt', 'Where does the shop run?'],
]

const QUESTIONS: readonly Question[] = [
  ...SUBJECTS.map(([, , task]) => ({ task })),
  { task: 'What does the build need?', context_types: { tool: [], decision: ['test_runner'] } },
  { task: 'What is known?', locus_query: 'payments', limit: 20 },
  { task: 'What colour is the bike shed?', context_ids: ['person:ana', 'tool:ci'] },
]

const VALUES = ['2', '3', '12', '90', 'no']
const SOURCES = ['agent', 'user', 'system', 'validator', 'executor']
const KINDS = ['fact', 'action', 'decision', 'observation', 'feedback']
const LINKS = ['reinforces', 'extends', 'contradicts', 'related_to']
/** A clock may stand still, or be set back. */
const SECONDS = [0, 1, 60, 600, 3_600, 20_000, 200_000, -30]

const FEWEST_STEPS = 20
const MAX_STEPS = 40
/** Of the memories and contexts a tenth is asked about after each step and at each place, the others at the next. */
const SHARE = 10

type Event = Readonly<Record<string, unknown>>

/** Plays the history of a seed and reads after each step, and at the end every place of each graph. */
export async function playHistory(session: Session, seed: number): Promise<void> {
  const history = new History(session, seed)
  const { steps } = history
  for (let turn = 0; turn < steps; turn++) {
    await history.step()
    await readPresent(session, history.known, { share: SHARE, turn })
  }
  for (const known of history.graphs) await readPast(session, known, SHARE, history.times)
}

class History {
  readonly graphs = [new Known('first', QUESTIONS)]
  /** Some of the times at which something was done. */
  readonly times: string[] = []
  readonly steps: number
  readonly #session: Session
  readonly #random: () => number
  readonly #events: Event[] = []
  readonly #keyed: { readonly key: string; readonly event: Event }[] = []

  constructor(session: Session, seed: number) {
    this.#session = session
    this.#random = createRandom(seed)
    this.steps = FEWEST_STEPS + this.#below(MAX_STEPS - FEWEST_STEPS + 1)
  }

  /** The graph that is written to: the copy, once there is one. */
  get known(): Known {
    return this.graphs.at(-1) ?? new Known('first', QUESTIONS)
  }

  async step(): Promise<void> {
    this.#session.pass(this.#oneOf(SECONDS) ?? 0)
    if (this.#chance(0.1)) this.times.push(this.#session.now.toISOString())
    await this.#act(this.#random())
  }

  async #act(chance: number): Promise<unknown> {
    if (chance < 0.38 || this.#events.length < 3) return this.#record(this.#event())
    if (chance < 0.5) return this.#record(this.#repeat())
    if (chance < 0.62) return this.#recordBatch()
    if (chance < 0.68) return this.#recordOnce(`key-${this.#keyed.length}`, this.#event())
    if (chance < 0.74) return this.#recordAgain()
    if (chance < 0.8) return this.#record({ ...this.#event(), dry_run: true })
    if (chance < 0.89) return this.#eraseMemory()
    if (chance < 0.94) return this.#eraseContext()
    if (chance < 0.97) return this.#session.restart()
    return this.#copy()
  }

  #record(event: Event): Promise<Reply> {
    this.#events.push(event)
    return this.#session.ask(post('recordEvent', '/v1/events', { graph_id: this.known.graph, ...event }))
  }

  #recordBatch(): Promise<Reply> {
    const events = Array.from({ length: 1 + this.#below(4) }, () =>
      this.#chance(0.3) ? this.#repeat() : this.#event(),
    ).map(({ dry_run, similar, ...event }) => event)
    const body = { graph_id: this.known.graph, events }
    return this.#session.ask(post('recordEvents', '/v1/events/batch', body))
  }

  #recordOnce(key: string, event: Event): Promise<Reply> {
    this.#keyed.push({ key, event })
    const body = { graph_id: this.known.graph, ...event }
    return this.#session.ask({
      ...post('recordEvent', '/v1/events', body),
      headers: { 'Idempotency-Key': key },
    })
  }

  /** With a key that was used before, mostly for the same event. */
  #recordAgain(): Promise<Reply> {
    const { key = 'key', event = this.#event() } = this.#oneOf(this.#keyed) ?? {}
    return this.#recordOnce(key, this.#chance(0.8) ? event : this.#event())
  }

  #eraseMemory(): Promise<Reply> {
    const path = `/v1/memories/${this.known.graph}/${this.#memory()}${this.#orDry()}`
    return this.#session.ask({ operation: 'deleteMemory', method: 'DELETE', path })
  }

  #eraseContext(): Promise<Reply> {
    const [type = '', name = ''] = this.#context().split(':')
    const path = `/v1/contexts/${[this.known.graph, type, name].map(encodeURIComponent).join('/')}`
    return this.#session.ask({
      ...{ operation: 'deleteContext', method: 'DELETE' },
      path: path + this.#orDry(),
    })
  }

  #orDry(): string {
    return this.#chance(0.3) ? '?dry_run=true' : ''
  }

  /** Exports the graph and goes on in what was imported; the second time, in the place of the first copy. */
  async #copy(): Promise<void> {
    const { text } = await this.#session.ask({
      operation: 'exportGraph',
      path: `/v1/graphs/${this.known.graph}/events`,
    })
    if (this.graphs.length > 1)
      await this.#session.ask({ operation: 'deleteGraph', method: 'DELETE', path: '/v1/graphs/copy' })
    await this.#session.ask(post('importGraph', '/v1/graphs/copy/events', text))
    await this.#session.ask(post('importGraph', '/v1/graphs/copy/events', text))
    if (this.graphs.length === 1) this.graphs.push(new Known('copy', QUESTIONS))
  }

  #event(): Event {
    const [contextId = '', template = ''] = this.#oneOf(SUBJECTS) ?? []
    const text = template.replace('#', this.#oneOf(VALUES) ?? '')
    return {
      event_kind: this.#oneOf(KINDS),
      payload: this.#chance(0.7)
        ? { text }
        : { decision: text, reason: { because: [text.length, true, null] } },
      ...(this.#chance(0.9) && { context_id: contextId }),
      ...(this.#chance(0.8) && { source: this.#oneOf(SOURCES) }),
      ...this.#links(contextId),
      ...this.#times(),
      ...(this.#chance(0.1) && { similar: false }),
    }
  }

  /** The same again, perhaps by another, with other links and until another time. */
  #repeat(): Event {
    const { dry_run, ...event } = this.#oneOf(this.#events) ?? this.#event()
    if (this.#chance(0.3)) return event
    const { reinforces, extends: extended, contradicts, related_to, valid_until, ...bare } = event
    return { ...bare, source: this.#oneOf(SOURCES), ...this.#links(this.#context()), ...this.#times() }
  }

  /** To memories and contexts, often to its own. */
  #links(contextId: string): Event {
    const links: Record<string, string[]> = {}
    while (this.#chance(0.4)) {
      const kind = this.#oneOf(LINKS) ?? ''
      const target = this.#chance(0.5) ? contextId : this.#chance(0.7) ? this.#memory() : this.#context()
      links[kind] = [...(links[kind] ?? []), target]
    }
    return links
  }

  #times(): Event {
    const at = (days: number) => new Date(this.#session.now.getTime() + days * 86_400_000).toISOString()
    return {
      ...(this.#chance(0.2) && { timestamp: at(-this.#below(400)).replace('Z', '+00:00') }),
      ...(this.#chance(0.15) && { valid_until: at(1 + this.#below(20)) }),
    }
  }

  /** Mostly a late one, perhaps erased. */
  #memory(): string {
    const memories = [...this.known.memories]
    const late = this.#chance(0.6) ? memories.slice(-5) : memories
    return this.#oneOf(late) ?? 'tool:no_memory_yet'
  }

  #context(): string {
    return this.#oneOf(SUBJECTS)?.[0] ?? ''
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[this.#below(all.length)]
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }
}
