import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { asRecordedNow } from '../../src/cli/formats/formats.js'
import { encodeExport } from '../../src/domain/transfer/encode.js'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { atOnce, type Burdened, type Ended, slowClients } from './burdens.js'
import { createEvents } from './data.js'
import { watched } from './load-watch.js'
import { atMost, promised, type Row } from './measure.js'
import { GRAPH, SECRET, type Service, startService } from './service.js'

const MAX_PROBE_MS = 50
const MAX_REFUSED_MS = 1000
/** Others may wait so many times as long as they do alone. */
const MAX_TIMES = 2
const SLOW = 'slow clients'
const SLOW_SECONDS = 20
const LINKED = 1000
const LINKS = 100
const WARM_UP = 10
const TASK = JSON.stringify({ graph_id: GRAPH, task: 'Which note has baceba, difo and gu in it?' })

interface Sizes {
  readonly memories: number
  readonly imported: number
  readonly seconds: number
}

type Burden = (service: Burdened, isThere: () => void) => Promise<Ended>

/** What others and probes are answered while one key burdens the service, on files and on PostgreSQL. */
export async function benchLoad(sizes: Sizes): Promise<Row[]> {
  const rows = await benchStore('files', {}, sizes)
  const server = await PostgresServer.create([])
  try {
    return [...rows, ...(await benchStore('PostgreSQL', { DATABASE_URL: server.url() }, sizes))]
  } finally {
    await server.remove()
  }
}

async function benchStore(
  subject: string,
  env: Readonly<Record<string, string>>,
  sizes: Sizes,
): Promise<Row[]> {
  const eventAt = createEvents(5)
  const service = await startService({
    env: { ...env, LOREGRAPH_RATE_LIMIT: 'off', LOREGRAPH_MEANING: 'off' },
  })
  try {
    const contexts = new Set<string>()
    await service.fill((i) => {
      const { contextId, eventKind, payload } = eventAt(i)
      contexts.add(contextId)
      return { event_kind: eventKind, context_id: contextId, payload }
    }, sizes.memories)
    const [burdening, other] = [await keyOf(service), await keyOf(service)]
    const read = [`GET /v1/contexts/${GRAPH}/skill?page_size=20 HTTP/1.1`, `Authorization: Bearer ${other}`]
    const pause = () => sleep(sizes.seconds * 1000)
    // The first time warms up, and so do the first insights, which take ten times as long as the later ones.
    await watched(service.url, read, pause)
    for (let i = 0; i < WARM_UP; i++) await service.send('/v1/memories/insights', TASK)
    const alone = await watched(service.url, read, pause)
    const row = (what: string, value: number, unit = 'ms'): Row => ({ what, subject, value, unit })
    const rows = [
      row('alone: others, p99', alone.reads.p99),
      row('alone: /livez, p99', alone.probes.p99),
      row('alone: the loop was late by', alone.lateMs),
    ]
    for (const [what, burden] of Object.entries(await burdens([...contexts], sizes))) {
      let ended: Ended = { statuses: {}, refusedMs: 0 }
      const seen = await watched(service.url, read, async (isThere) => {
        ended = await burden({ url: service.url, secret: burdening }, isThere)
      })
      const { reads, readsThen, probes, lateMs, awaited } = seen
      const { statuses, refusedMs } = ended
      const outcome = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
      const isFailed = Object.keys(statuses).some((status) => /^(?:5(?!03)|4(?!29)|0)/.test(status))
      const unlike = reads.others.length === 0 ? '' : ` (${[...new Set(reads.others)].join(', ')})`
      rows.push(
        atMost(row(`${what}: /livez, p99`, probes.p99), MAX_PROBE_MS),
        row(`${what}: /livez, longest`, probes.longest),
        row(`${what}: others, p99 of ${reads.count}`, reads.p99),
      )
      if (what.startsWith(SLOW))
        rows.push(
          promised(
            row(`${what}: others once all are there, p99 of ${readsThen.count}`, readsThen.p99),
            `≤ ${MAX_TIMES} × alone`,
            readsThen.p99 <= MAX_TIMES * alone.reads.p99,
          ),
        )
      rows.push(
        atMost(row(`${what}: others not answered with 200${unlike}`, reads.others.length, ''), 0),
        row(`${what}: the loop was late by`, lateMs),
        row(`${what}: most that waited for a connection`, awaited, ''),
        promised(
          row(`${what}: refused after at most (${outcome.join(', ')})`, refusedMs),
          `≤ ${MAX_REFUSED_MS}, nothing fails but with 429 or 503`,
          refusedMs <= MAX_REFUSED_MS && !isFailed,
        ),
      )
    }
    return rows
  } finally {
    await service.stop()
  }
}

async function burdens(
  contexts: readonly string[],
  { imported, seconds }: Sizes,
): Promise<Readonly<Record<string, Burden>>> {
  const some = (index: number) => contexts[(index * 7919) % contexts.length] ?? ''
  const several = (from: number, count: number) => [
    ...new Set(Array.from({ length: count }, (_, i) => some(from + i))),
  ]
  const lines = await text(exported(imported))
  const erasures = several(0, 30).map((id) => ({
    path: `/v1/contexts/${GRAPH}/${id.replace(':', '/')}`,
    method: 'DELETE',
  }))
  const linked = JSON.stringify({
    graph_id: GRAPH,
    events: Array.from({ length: LINKED }, (_, i) => ({
      event_kind: 'fact',
      context_id: 'hub:of_links',
      payload: { text: `hub ${i}` },
      related_to: several(i, LINKS / 2),
      extends: several(i + 100, LINKS / 2),
    })),
  })
  const insights = Array.from({ length: 200 }, () => ({
    ...{ path: '/v1/memories/insights', method: 'POST', body: TASK },
  }))
  const slow: Burden = (of, isThere) =>
    slowClients(of, { imports: 2000, exports: 200 }, Math.max(seconds, SLOW_SECONDS), isThere)
  return {
    // What a service has never done takes it several times as long.
    [`${SLOW}, the first`]: slow,
    [`${SLOW}, the next`]: slow,
    '30 erasures': (of) => atOnce(of, erasures),
    // Once is over in a second, so that the slowest of a hundred would be one.
    '200 insights': (of) => atOnce(of, insights, seconds),
    [`import of ${imported.toLocaleString('en')}`]: (of) =>
      atOnce(of, [{ path: '/v1/graphs/imported/events', method: 'POST', body: lines }]),
    [`${LINKED.toLocaleString('en')} events with ${LINKS} links each`]: (of) =>
      atOnce(of, [{ path: '/v1/events/batch', method: 'POST', body: linked }]),
  }
}

/** What the service would export had it recorded so many. */
function exported(memories: number): AsyncIterable<string> {
  const events = Array.from({ length: memories }, (_, i) => i).map(createEvents(7))
  const exportedAt = '2026-03-02T09:30:00.000Z'
  const recorded = asRecordedNow(events, { now: () => new Date(exportedAt), randomBytes })
  const graph = { graphId: 'g', exportedAt, events: Readable.from(recorded) }
  return encodeExport(graph, createHash('sha256'))
}

async function keyOf({ url }: Service): Promise<string> {
  const response = await fetch(`${url}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'load', scopes: ['read', 'write', 'admin'] }),
  })
  const { secret } = (await response.json()) as { secret: string }
  return secret
}
