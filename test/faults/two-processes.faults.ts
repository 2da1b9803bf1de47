import { expect, onTestFinished, test } from 'vitest'
import { type Feed, openFeed } from '../support/feed.js'
import { temporaryFolder } from '../support/folder.js'
import { hasPgBouncer, PgBouncer } from '../support/pgbouncer.js'
import { PostgresServer } from '../support/postgres-server.js'
import { scaled } from './support/scale.js'
import { type Client, createClient, SECRET, startService } from './support/service.js'
import { tell } from './support/tell.js'

const GRAPH = 'both'
const WRITERS = 8

interface Process {
  readonly client: Client
  readonly feed: () => Promise<Feed>
}

interface Written {
  readonly text: string
  readonly event_id: string
  readonly place: number
}

async function start(url: string): Promise<Process> {
  const service = startService(temporaryFolder(), [], { DATABASE_URL: url, LOREGRAPH_RATE_LIMIT: 'off' })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  const address = await service.url
  const client = createClient(address)
  onTestFinished(() => client.close())
  const port = Number(new URL(address).port)
  return { client, feed: () => openFeed({ port, secret: SECRET, graph: GRAPH }) }
}

async function record({ client }: Process, writer: string, text: string): Promise<Written> {
  const answer = await client.record(GRAPH, `writer:${writer}`, text)
  expect(answer).toEqual({ status: 201, body: expect.anything() })
  return { text, ...JSON.parse(answer.body) }
}

/** Asks the process at once for all that could tell of the text, which no question repeats; for the answers that do. */
async function tellingOf(
  { client }: Process,
  { text, event_id }: Written,
  writer: string,
): Promise<string[]> {
  const question = text.replace(' wrote ', ' has written ')
  const [memory, whole, ...others] = await Promise.all([
    client.get(`/v1/memories/${GRAPH}/${event_id}`),
    client.get(`/v1/graphs/${GRAPH}/events`),
    client.get(`/v1/contexts/${GRAPH}/writer/${writer}?page_size=50`),
    client.post('/v1/memories', { graph_id: GRAPH, query: question, format: 'json' }),
    client.post('/v1/memories/insights', { graph_id: GRAPH, task: question, explain: true }),
  ])
  expect([memory, ...others]).toMatchObject([404, 200, 200, 200].map((status) => ({ status })))
  // What was begun before another erasure ends at it.
  expect([200, 0, 503]).toContain(whole.status)
  return [memory, whole, ...others].flatMap(({ body }) => (body.includes(text) ? body : []))
}

/** Writes on both processes at once, erasing what was just written every so often: the other one tells nothing of it any more. */
async function writeOnBoth(both: readonly [Process, Process], writes: number, erasing: number) {
  const kept: Written[] = []
  const erased: Written[] = []
  const work = async (process: Process, other: Process, writer: string) => {
    for (let i = 1; i <= writes / WRITERS; i++) {
      const written = await record(process, writer, `${writer} wrote ${i}.`)
      if (i % erasing > 0) {
        kept.push(written)
        continue
      }
      const path = `/v1/memories/${GRAPH}/${written.event_id}`
      expect(await other.client.get(path)).toEqual({ status: 200, body: expect.anything() })
      expect(await process.client.delete(path)).toEqual({ status: 200, body: expect.anything() })
      expect(await tellingOf(other, written, writer)).toEqual([])
      erased.push(written)
    }
  }
  const [one, two] = both
  await Promise.all(
    Array.from({ length: WRITERS }, (_, i) => [work(one, two, `p1w${i}`), work(two, one, `p2w${i}`)]).flat(),
  )
  return { kept, erased }
}

async function exported({ client }: Process): Promise<string[]> {
  const { body } = await client.get(`/v1/graphs/${GRAPH}/events`)
  // The first line says when.
  return body.trim().split('\n').slice(1)
}

async function expectBothTellOf(both: readonly [Process, Process], kept: Written[], feeds: readonly Feed[]) {
  const [lines, others] = [await exported(both[0]), await exported(both[1])]
  expect(others).toEqual(lines)
  const found = lines.slice(0, -1).map((line) => JSON.parse(line))
  const inOrder = kept.toSorted((a, b) => a.place - b.place)
  expect(
    found.map(({ payload, memory_id, place, times_seen }) => [payload.text, memory_id, place, times_seen]),
  ).toEqual(inOrder.map(({ text, event_id, place }) => [text, event_id, place, 1]))
  const places = inOrder.map(({ place }) => place)
  const last = places.at(-1) ?? 0
  const late = await Promise.all(both.map(({ feed }) => feed()))
  for (const feed of [...feeds, ...late]) {
    await expect.poll(() => feed.places.at(-1)).toBeGreaterThanOrEqual(last)
    expect(feed.places).toEqual([...new Set(feed.places)].sort((a, b) => a - b))
    // One that was there all the time had what was erased since as well.
    const had = new Set(feed.places)
    expect(places.filter((place) => !had.has(place))).toEqual([])
    feed.kill()
  }
}

test.each([
  ['', 2000, Number.POSITIVE_INFINITY],
  [', an erasure every 50', 2000, 50],
  [', an erasure every 8', 2000, 8],
  [' through PgBouncer', 400, Number.POSITIVE_INFINITY],
  [' through PgBouncer, an erasure every 8', 400, 8],
])(
  'two processes on one database%s: nothing lost or doubled, one order, nothing erased told of',
  async (how, full, erasing) => {
    if (how.includes('PgBouncer') && !hasPgBouncer()) return
    const server = await PostgresServer.create([])
    onTestFinished(() => server.remove())
    const bouncer = how.includes('PgBouncer') ? await PgBouncer.start(server.url()) : undefined
    onTestFinished(() => bouncer?.stop())
    const url = bouncer?.url ?? server.url()
    const both: [Process, Process] = [await start(url), await start(url)]
    const first = await record(both[0], 'first', 'the first')
    const feeds = await Promise.all(both.map(({ feed }) => feed()))
    const { kept, erased } = await writeOnBoth(both, scaled(full / 10, full), erasing)
    expect(kept.length + erased.length).toBe(2 * scaled(full / 10, full))
    await expectBothTellOf(both, [first, ...kept], feeds)
    tell(
      'S1',
      `${kept.length + erased.length} written by two processes${how}, ${erased.length} of them erased`,
    )
  },
)
