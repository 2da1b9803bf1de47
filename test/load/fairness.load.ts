import { expect, test } from 'vitest'
import { slowClients } from '../../scripts/bench/burdens.js'
import { GRAPH } from '../../scripts/bench/service.js'
import { Asker, openLoop, percentile } from '../faults/support/load.js'
import { SECRET, startService } from '../faults/support/service.js'
import { tell } from '../faults/support/tell.js'
import { temporaryFolder } from '../support/folder.js'

const SECONDS = 4
const BATCHES = 4
const SLOW = { imports: 1000, exports: 100 }

test('B18: a thousand slow uploads and a hundred slow downloads of one key: reads of another are served, probes answer', async () => {
  const service = startService(temporaryFolder(), [], {
    LOREGRAPH_RATE_LIMIT: 'off',
    LOREGRAPH_LOG_LEVEL: 'error',
    LOREGRAPH_MEANING: 'off',
  })
  const url = await service.url
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = Array.from({ length: 1000 }, (_, i) => ({
      event_kind: 'fact',
      context_id: `skill:${i % 50}`,
      payload: { text: `note ${batch} ${i} ${'lorem ipsum '.repeat(40)}` },
    }))
    expect((await post('/v1/events/batch', { graph_id: GRAPH, events })).status).toBe(201)
  }
  const keyOf = async (): Promise<string> => {
    const { secret } = JSON.parse(
      await (await post('/v1/keys', { name: 'load', scopes: ['read', 'write'] })).text(),
    )
    return secret
  }
  const [slow, other] = [await keyOf(), await keyOf()]
  const port = Number(new URL(url).port)
  const line = `GET /v1/contexts/${GRAPH}/skill?page_size=20 HTTP/1.1`
  const reader = new Asker(port, [line, `Authorization: Bearer ${other}`])
  const prober = new Asker(port, ['GET /livez HTTP/1.1'])
  const [, reads, probes] = await Promise.all([
    slowClients({ url, secret: slow }, SLOW, SECONDS),
    openLoop(reader, 50, SECONDS),
    openLoop(prober, 50, SECONDS),
  ])
  tell(
    'B18',
    `reads p50 ${percentile(reads, 0.5).toFixed(0)} ms, p95 ${percentile(reads, 0.95).toFixed(0)} ms; probes p95 ${percentile(probes, 0.95).toFixed(0)} ms`,
  )
  expect(new Set(probes.map(({ status }) => status))).toEqual(new Set([200]))
  // In a service that works off whatever came first, most are refused, and all wait until the slow clients are gone; a few of
  // these may be the fault of a machine that is busy with something else.
  expect(reads.filter(({ status }) => status === 200).length).toBeGreaterThan(0.8 * reads.length)
  expect(percentile(reads, 0.5)).toBeLessThan(SECONDS * 400)
  expect(percentile(probes, 0.9)).toBeLessThan(SECONDS * 500)
  reader.close()
  prober.close()
  expect((await service.stop()).code).toBe(0)
})
