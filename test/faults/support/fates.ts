import { expect } from 'vitest'
import type { Client } from './service.js'

const BATCH = 3
const SHARE_OF_ERASURES = 0.3

/** What a write or an erasure came to, as far as its sender knows: of an unsure one nobody was told. */
type Fate = 'there' | 'gone' | 'unsure'

interface Event {
  readonly text: string
  /** All of it is recorded, or nothing. */
  readonly batch: readonly string[]
  id: string | undefined
  fate: Fate
}

interface Line {
  readonly memory_id: string
  readonly payload: { readonly text: string }
  readonly times_seen: number
}

/** Batches that were sent to one graph, some of them erased again, to be held against what is there after a fault. */
export class Fates {
  acknowledged = 0
  erased = 0
  readonly #graph: string
  readonly #padding: string
  readonly #events = new Map<string, Event>()
  #count = 0

  constructor(graph: string, padding = 0) {
    this.#graph = graph
    this.#padding = 'x'.repeat(padding)
  }

  /** Records and erases, one after the other, until told to stop. */
  async work(client: Client, isOver: () => boolean): Promise<void> {
    const mine: Event[] = []
    while (!isOver()) {
      const one = mine.at(-1)
      if (one !== undefined && Math.random() < SHARE_OF_ERASURES) {
        mine.pop()
        await this.#erase(client, one)
      } else mine.push(...(await this.#record(client)))
    }
  }

  /** What was acknowledged is there once, what was erased is not, and of the rest there is all or nothing. */
  async settle(client: Client): Promise<void> {
    const { status, body } = await client.get(`/v1/graphs/${this.#graph}/events`)
    expect([200, 404]).toContain(status)
    const lines = status === 404 ? [] : body.trim().split('\n').slice(1, -1)
    const found = new Map<string, Line>()
    for (const line of lines.map((line): Line => JSON.parse(line))) {
      expect([line.times_seen, found.has(line.payload.text)]).toEqual([1, false])
      found.set(line.payload.text, line)
    }
    expect([...found.keys()].filter((text) => !this.#events.has(text))).toEqual([])
    for (const event of this.#events.values()) {
      const { text, batch, fate } = event
      const line = found.get(text)
      if (fate !== 'unsure') expect(line !== undefined, `${text} is ${fate}`).toBe(fate === 'there')
      // What was to be erased had been acknowledged, and so had its batch.
      else if (event.id === undefined) expect(batch.filter((one) => found.has(one)).length % BATCH).toBe(0)
    }
    for (const event of this.#events.values()) {
      event.fate = found.has(event.text) ? 'there' : 'gone'
      event.id = found.get(event.text)?.memory_id
    }
  }

  async #record(client: Client): Promise<Event[]> {
    const n = this.#count++
    const batch = Array.from({ length: BATCH }, (_, i) => `batch ${n} event ${i} ${this.#padding}`.trim())
    const events = batch.map((text): Event => ({ text, batch, id: undefined, fate: 'unsure' }))
    for (const event of events) this.#events.set(event.text, event)
    const { status, body } = await client.post('/v1/events/batch', {
      graph_id: this.#graph,
      events: batch.map((text) => ({ event_kind: 'fact', context_id: `batch:b${n}`, payload: { text } })),
    })
    expect([0, 201, 503], body).toContain(status)
    if (status !== 201) return []
    const { results }: { results: readonly { readonly event_id: string }[] } = JSON.parse(body)
    for (const [i, event] of events.entries())
      Object.assign(event, { fate: 'there', id: results[i]?.event_id })
    this.acknowledged += BATCH
    return events
  }

  async #erase(client: Client, event: Event): Promise<void> {
    event.fate = 'unsure'
    const { status, body } = await client.delete(`/v1/memories/${this.#graph}/${event.id}`)
    expect([0, 200, 503], body).toContain(status)
    if (status !== 200) return
    event.fate = 'gone'
    this.erased += 1
  }
}
