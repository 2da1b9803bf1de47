/** A process of its own that watches a service under load: what others and probes are answered, and the gauges meanwhile. */

import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Asker, percentile, type Sample } from '../../test/faults/support/load.js'

const READS_PER_SECOND = 100
const PROBES_PER_SECOND = 100
const LOOK_MS = 200

export interface Watched {
  readonly reads: Answers
  /** Of those that were asked once the burden was all there; of all if it never said so. */
  readonly readsThen: Answers
  readonly probes: Answers
  /** The longest that the event loop was late. */
  readonly lateMs: number
  /** The most requests that waited for a connection to the database at once. */
  readonly awaited: number
}

interface Answers {
  readonly count: number
  readonly p99: number
  readonly longest: number
  /** Statuses other than 200; 0 is a connection that broke. */
  readonly others: readonly number[]
}

/** Watches a service while something goes on. */
export async function watched(
  url: string,
  read: readonly string[],
  work: (isThere: () => void) => Promise<unknown>,
): Promise<Watched> {
  const child = fork(fileURLToPath(import.meta.url), [new URL(url).port, ...read], {
    execArgv: process.execArgv,
  })
  try {
    await once(child, 'message')
    await work(() => child.send('there'))
    const answer = once(child, 'message')
    child.send('enough')
    const [result] = await answer
    return result
  } finally {
    child.kill()
  }
}

async function watch(port: number, read: readonly string[]): Promise<void> {
  const reader = new Asker(port, read)
  const prober = new Asker(port, ['GET /livez HTTP/1.1'])
  const gauges = { late: 0, awaited: 0 }
  const metrics = () => fetch(`http://127.0.0.1:${port}/metrics`)
  const look = async () => {
    // A connection that was kept may be closed by the service while it is used again.
    const text = await (await metrics().catch(metrics)).text()
    const gaugeOf = (name: string) => Number(new RegExp(`\\n${name} (\\S+)\\n`).exec(text)?.[1] ?? 0)
    gauges.late = Math.max(gauges.late, 1000 * gaugeOf('nodejs_eventloop_lag_max_seconds'))
    gauges.awaited = Math.max(gauges.awaited, gaugeOf('loregraph_store_connections_awaited'))
  }
  let isEnough = false
  let thereAt = 0
  const often = async (perSecond: number, asker: Asker) => {
    const asked: { readonly at: number; readonly sample: Promise<Sample> }[] = []
    const started = performance.now()
    while (!isEnough) {
      const at = performance.now()
      const due = ((at - started) / 1000) * perSecond
      while (asked.length < due) asked.push({ at, sample: asker.ask() })
      await sleep(1)
    }
    const samples = await Promise.all(asked.map(({ sample }) => sample))
    return {
      all: answersOf(samples),
      onceThere: answersOf(samples.filter((_, i) => (asked[i]?.at ?? 0) >= thereAt)),
    }
  }
  // What it measured until now is of no interest: each look starts the gauge of the loop anew.
  await look()
  gauges.late = 0
  const asking = [often(READS_PER_SECOND, reader), often(PROBES_PER_SECOND, prober)] as const
  const looking = (async () => {
    while (!isEnough) {
      await sleep(LOOK_MS)
      await look()
    }
  })()
  process.send?.('watching')
  for await (const [message] of on(process, 'message')) {
    if (message !== 'there') break
    thereAt = performance.now()
  }
  isEnough = true
  const [reads, probes] = await Promise.all(asking)
  await looking
  const { late: lateMs, awaited } = gauges
  process.send?.({
    ...{ reads: reads.all, readsThen: reads.onceThere, probes: probes.all, lateMs, awaited },
  } satisfies Watched)
}

function answersOf(samples: readonly Sample[]): Answers {
  return {
    count: samples.length,
    p99: percentile(samples, 0.99),
    longest: percentile(samples, 1),
    others: samples.map(({ status }) => status).filter((status) => status !== 200),
  }
}

const [, script, port, ...read] = process.argv
if (script === fileURLToPath(import.meta.url)) await watch(Number(port), read)
