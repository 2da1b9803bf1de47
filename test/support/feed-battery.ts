import { expect } from 'vitest'
import { type Feed, openFeed } from './feed.js'

interface Service {
  readonly port: number
  readonly secret: string
}

const WRITERS = 8

/**
 * Eight writers record in one graph while a reader, whose connection is cut so many times, resumes each time after the last
 * statement that it has had: it must have had every statement once, in order. The service that is read from may be another than
 * the one that is written to.
 */
export async function followBesideWriters(
  writing: Service,
  reading: Service,
  graph: string,
  kills: number,
): Promise<{ readonly statements: number; readonly kills: number }> {
  const record = async (text: string) => {
    const response = await fetch(`http://127.0.0.1:${writing.port}/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${writing.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ graph_id: graph, event_kind: 'fact', payload: { text }, similar: false }),
    })
    const { place } = (await response.json()) as { place: number }
    return place
  }
  const written = [await record('the first')]
  let isOver = false
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    // Every third is a repeat, which is a statement of its own.
    for (let i = 0; !isOver; i++)
      written.push(await record(`writer ${writer}, event ${i - (i % 3 === 2 ? 1 : 0)}`))
  })
  const had: number[] = []
  const resume = async (): Promise<Feed> => {
    const headers = { 'Last-Event-ID': String(had.at(-1) ?? 0) }
    const feed = await openFeed({ ...reading, graph, headers })
    expect(feed.status).toBe(200)
    return feed
  }
  let cut = 0
  for (; cut < kills; cut++) {
    const feed = await resume()
    const enough = 1 + Math.floor(Math.random() * 40)
    await expect
      .poll(() => feed.places.length, { timeout: 20_000, interval: 1 })
      .toBeGreaterThanOrEqual(enough)
    feed.kill()
    // What has come in full counts, as it does for a program that keeps the last id.
    had.push(...feed.places)
  }
  isOver = true
  await Promise.all(writers)
  const last = Math.max(...written)
  const feed = await resume()
  await expect.poll(() => feed.places.at(-1) ?? had.at(-1), { timeout: 20_000 }).toBe(last)
  feed.kill()
  had.push(...feed.places)
  expect(had).toEqual(written.sort((a, b) => a - b))
  expect(had).toEqual(Array.from({ length: last }, (_, i) => i + 1))
  return { statements: last, kills: cut }
}
