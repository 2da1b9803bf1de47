import { text } from 'node:stream/consumers'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { againFor, atOnce, type Burdened, type Ended, slowClients } from './burdens.js'
import { createEvents, toBody } from './data.js'
import { watched } from './load-watch.js'
import { promised, type Row } from './measure.js'
import { GRAPH, SECRET, type Service, startService } from './service.js'
import { exported } from './transfer.js'

const PROBE_MS = 50
const REFUSED_MS = 1000
/** Others may wait so many times as long as they do alone. */
const MAX_TIMES = 2
const SLOW = 'slow clients'
const SLOW_SECONDS = 20
const LINKED = 1000
const WARM_UP = 10
const TASK = JSON.stringify({ graph_id: GRAPH, task: 'Which note has baceba, difo and gu in it?' })
const LINKS = 100

type Burden = (service: Burdened, isThere: () => void) => Promise<Ended>

/** What others and probes are answered while one key burdens the service, on files and on PostgreSQL. */
export async function benchLoad(memories: number, imported: number, seconds: number): Promise<Row[]> {
  const rows = await benchStore('JSON', {}, memories, imported, seconds)
  const server = await PostgresServer.create([])
  try {
    rows.push(
      ...(await benchStore('PostgreSQL', { DATABASE_URL: server.url() }, memories, imported, seconds)),
    )
    return rows
  } finally {
    await server.remove()
  }
}

async function benchStore(
  store: string,
  env: Readonly<Record<string, string>>,
  memories: number,
  imported: number,
  seconds: number,
): Promise<Row[]> {
  const eventAt = createEvents(5)
  const service = await startService({
    env: { ...env, LOREGRAPH_RATE_LIMIT: 'off', LOREGRAPH_MEANING: 'off' },
  })
  try {
    await service.fill((i) => toBody(eventAt(i)), memories)
    const [burdening, other] = [await keyOf(service), await keyOf(service)]
    const read = [`GET /v1/contexts/${GRAPH}/skill?page_size=20 HTTP/1.1`, `Authorization: Bearer ${other}`]
    const pause = () => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    // The first time warms up, and so do the first insights, which take ten times as long as the later ones.
    await watched(service.url, read, pause)
    for (let i = 0; i < WARM_UP; i++) await service.send('/v1/memories/insights', TASK)
    const alone = await watched(service.url, read, pause)
    const rows: Row[] = [
      { what: 'alone: others, p99', subject: store, value: alone.reads.p99, unit: 'ms' },
      { what: 'alone: /livez, p99', subject: store, value: alone.probes.p99, unit: 'ms' },
      { what: 'alone: the loop was late by', subject: store, value: alone.lateMs, unit: 'ms' },
    ]
    const marks = { probes: PROBE_MS, reads: MAX_TIMES * alone.reads.p99 }
    for (const [what, burden] of Object.entries(await burdens(memories, imported, seconds))) {
      let ended: Ended = { statuses: {}, refusedMs: 0 }
      const seen = await watched(service.url, read, async (isThere) => {
        ended = await burden({ url: service.url, secret: burdening }, isThere)
      })
      const { reads, readsThen, probes, lateMs, awaited } = seen
      const outcome = Object.entries(ended.statuses).map(([status, count]) => `${count} × ${status}`)
      const row = (name: string, value: number, unit: string): Row => ({
        ...{ what: `${what}: ${name}`, subject: store, value, unit },
      })
      const failed = Object.keys(ended.statuses).filter(
        (status) => /^(?:5(?!03)|4(?!29))/.test(status) || status === '0',
      )
      rows.push(
        promised(row('/livez, p99', probes.p99, 'ms'), `≤ ${PROBE_MS}`, probes.p99 <= marks.probes),
        row('/livez, longest', probes.longest, 'ms'),
        row(`others, p99 of ${reads.count}`, reads.p99, 'ms'),
        ...(what.startsWith(SLOW)
          ? [
              promised(
                row(`others once all are there, p99 of ${readsThen.count}`, readsThen.p99, 'ms'),
                `≤ ${MAX_TIMES} × alone`,
                readsThen.p99 <= marks.reads,
              ),
            ]
          : []),
        promised(
          row(`others not answered with 200${unlike(reads.others)}`, reads.others.length, ''),
          'none',
          reads.others.length === 0,
        ),
        row('the loop was late by', lateMs, 'ms'),
        ...(store === 'JSON' ? [] : [row('most that waited for a connection', awaited, '')]),
        promised(
          row(`refused after at most (${outcome.join(', ')})`, ended.refusedMs, 'ms'),
          `≤ ${REFUSED_MS}, nothing fails but with 429 or 503`,
          ended.refusedMs <= REFUSED_MS && failed.length === 0,
        ),
      )
    }
    return rows
  } finally {
    await service.stop()
  }
}

async function burdens(
  memories: number,
  imported: number,
  seconds: number,
): Promise<Readonly<Record<string, Burden>>> {
  const eventAt = createEvents(5)
  const contexts = [...new Set(Array.from({ length: memories }, (_, i) => eventAt(i).contextId))]
  const some = (index: number) => contexts[(index * 7919) % contexts.length] ?? ''
  const lines = await text(exported(imported, undefined))
  const erasures = [...new Set(Array.from({ length: 30 }, (_, i) => some(i)))].map((id) => ({
    path: `/v1/contexts/${GRAPH}/${id.replace(':', '/')}`,
    method: 'DELETE',
  }))
  const linked = JSON.stringify({
    graph_id: GRAPH,
    events: Array.from({ length: LINKED }, (_, i) => ({
      event_kind: 'fact',
      context_id: 'hub:of_links',
      payload: { text: `hub ${i}` },
      related_to: Array.from({ length: LINKS / 2 }, (_, j) => some(i + j)).filter(isFirst),
      extends: Array.from({ length: LINKS / 2 }, (_, j) => some(i + 100 + j)).filter(isFirst),
    })),
  })
  const slow: Burden = (of, isThere) =>
    slowClients(of, { imports: 2000, exports: 200 }, Math.max(seconds, SLOW_SECONDS), isThere)
  return {
    // What a service has never done takes it several times as long.
    [`${SLOW}, the first it meets`]: slow,
    [`${SLOW}, the next`]: slow,
    '30 erasures': (of) => atOnce(of, erasures),
    // Once is over in a second, so that the slowest of a hundred would be one.
    '200 insights': (of) =>
      againFor(seconds, () =>
        atOnce(
          of,
          Array.from({ length: 200 }, () => ({ path: '/v1/memories/insights', method: 'POST', body: TASK })),
        ),
      ),
    [`import of ${imported.toLocaleString('en')}`]: (of) =>
      atOnce(of, [{ path: '/v1/graphs/imported/events', method: 'POST', body: lines }]),
    [`${LINKED.toLocaleString('en')} events with ${LINKS} links each`]: (of) =>
      atOnce(of, [{ path: '/v1/events/batch', method: 'POST', body: linked }]),
  }
}

/** Which statuses these are; 0 where there was no answer. */
function unlike(statuses: readonly number[]): string {
  return statuses.length === 0 ? '' : ` (${[...new Set(statuses)].join(', ')})`
}

function isFirst<T>(value: T, index: number, list: readonly T[]): boolean {
  return list.indexOf(value) === index
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
