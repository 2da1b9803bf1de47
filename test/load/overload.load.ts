import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Asker, closedLoop, openLoop, percentile, type Sample } from '../faults/support/load.js'
import { FULL, scaled } from '../faults/support/scale.js'
import { createClient, SECRET, startService } from '../faults/support/service.js'
import { tell } from '../faults/support/tell.js'
import { temporaryFolder } from '../support/folder.js'
import { watchMachine } from '../support/taken.js'

const FACTOR = 5
const CALLERS = 16
const MEMORIES = 1_000
const SECONDS = scaled(5, 30)
/** At full length (`FAULTS=full`) the marks are those of the promise; the short form allows for a machine that is shared. */
const SHARE_SERVED = FULL ? 0.8 : 0.5
const REFUSED_MS = FULL ? 20 : 100

const HEADERS = [`Authorization: Bearer ${SECRET}`, 'Content-Type: application/json']
const TASK = JSON.stringify({
  task: 'How do we deploy the payment service and what broke in the release of the gateway?',
  graph_id: 'load',
})

describe('E5: overload', () => {
  test(`E5: ${FACTOR} times more insights than can be given, open loop: most of the best throughput, quick refusals, probes, recovery`, async () => {
    const isQuiet = watchMachine('E5')
    const folder = temporaryFolder()
    const service = startService(folder, [], { LOREGRAPH_RATE_LIMIT: 'off', LOREGRAPH_LOG_LEVEL: 'error' })
    const url = await service.url
    const port = Number(new URL(url).port)
    await fill(url)
    const insights = () => new Asker(port, ['POST /v1/memories/insights HTTP/1.1', ...HEADERS], TASK)
    const probe = new Asker(port, ['GET /livez HTTP/1.1'])
    const asker = insights()
    await closedLoop(asker, CALLERS, scaled(2, 5))
    const measured = scaled(3, 10)
    const best = served(await closedLoop(asker, CALLERS, measured)).length / measured

    const probes: Sample[] = []
    const watch = setInterval(() => void probe.ask().then((sample) => probes.push(sample)), 100)
    const before = performance.now()
    const flood = insights()
    const samples = await openLoop(flood, best * FACTOR, SECONDS)
    const took = (performance.now() - before) / 1000
    clearInterval(watch)
    const stopped = performance.now()
    const recovered = await recovery(asker, stopped)
    flood.close()

    const good = served(samples)
    const refused = samples.filter(({ status }) => status === 503)
    tell(
      'E5',
      [
        `best ${best.toFixed(0)}/s; offered ${(samples.length / SECONDS).toFixed(0)}/s for ${SECONDS} s on up to ${flood.connections} connections`,
        `served ${(good.length / took).toFixed(0)}/s (${((100 * good.length) / took / best).toFixed(0)} %), p50 ${percentile(good, 0.5).toFixed(0)} ms, p99 ${percentile(good, 0.99).toFixed(0)} ms`,
        `refused ${refused.length}: p50 ${percentile(refused, 0.5).toFixed(1)} ms, p95 ${percentile(refused, 0.95).toFixed(1)} ms, p99 ${percentile(refused, 0.99).toFixed(1)} ms`,
        `probes ${probes.length}: p99 ${percentile(probes, 0.99).toFixed(1)} ms; recovered after ${recovered.toFixed(0)} ms`,
      ].join('; '),
    )
    expect(samples.length).toBeGreaterThan(best * FACTOR * SECONDS * 0.9)
    expect(samples.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(refused.filter(({ retryAfter }) => !retryAfter)).toEqual([])
    expect(refused.length).toBeGreaterThan(0)
    expect(probes.length).toBeGreaterThan(SECONDS)
    expect(probes.filter(({ status }) => status !== 200)).toEqual([])
    if (isQuiet()) {
      expect(good.length / took).toBeGreaterThan(best * SHARE_SERVED)
      expect(percentile(refused, 0.95)).toBeLessThan(REFUSED_MS)
      // Nobody is kept in a queue for much longer than the second that admission allows.
      expect(percentile(good, 0.5)).toBeLessThan(3_000)
      expect(recovered).toBeLessThan(5_000)
    }
    asker.close()
    probe.close()
    expect((await service.stop()).code).toBe(0)
  })
})

const served = (samples: readonly Sample[]) => samples.filter(({ status }) => status === 200)

/** How long after the flood until ten requests in a row, one after the other, are answered in good time. */
async function recovery(asker: Asker, stopped: number): Promise<number> {
  for (let inRow = 0; inRow < 10; ) {
    const { status, ms } = await asker.ask()
    inRow = status === 200 && ms < 250 ? inRow + 1 : 0
    await sleep(5)
  }
  return performance.now() - stopped
}

const SUBJECTS = ['payment service', 'gateway', 'search index', 'mobile app', 'billing export', 'login page']
const FACTS = [
  'deploys from the release branch',
  'broke in the last release',
  'needs two reviews',
  'is slow at noon',
]

async function fill(url: string): Promise<void> {
  const client = createClient(url)
  for (let from = 0; from < MEMORIES; from += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, i) => ({
      event_kind: 'fact',
      context_id: `part:${(from + i) % 200}`,
      payload: {
        data: `The ${SUBJECTS[i % 6]} ${FACTS[(i >> 3) % 4]}, as number ${from + i} of the reports has it.`,
      },
    }))
    const { status, body } = await client.post('/v1/events/batch', { graph_id: 'load', events })
    expect(status, body).toBe(201)
  }
  client.close()
}
