/** A process of its own that watches a service under load: what others and probes are answered, and the gauges meanwhile. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Asker, percentile, type Sample } from '../../test/faults/support/load.js'

const READS_PER_SECOND = 100
const PROBES_PER_SECOND = 100
const LOOK_MS = 200

export interface Watched {
  readonly reads: Answers
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
  work: () => Promise<unknown>,
): Promise<Watched> {
  const child = fork(fileURLToPath(import.meta.url), [new URL(url).port, ...read], {
    execArgv: process.execArgv,
  })
  try {
    await once(child, 'message')
    await work()
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
  const often = (perSecond: number, asker: Asker) => {
    const asked: Promise<Sample>[] = []
    const started = performance.now()
    return (async () => {
      while (!isEnough) {
        const due = ((performance.now() - started) / 1000) * perSecond
        while (asked.length < due) asked.push(asker.ask())
        await sleep(1)
      }
      return answersOf(await Promise.all(asked))
    })()
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
  await once(process, 'message')
  isEnough = true
  const [reads, probes] = await Promise.all(asking)
  await looking
  process.send?.({ reads, probes, lateMs: gauges.late, awaited: gauges.awaited } satisfies Watched)
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
