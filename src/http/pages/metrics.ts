import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ProblemCode } from '../problems/problems.js'

/** A request that is over. No text in it comes from a client. */
interface Observation {
  /** The operation's id, the route's template or the page; `none` when there was no such thing. */
  readonly route: string
  /** Only operations are timed: pages are texts that lie ready. */
  readonly isOperation: boolean
  readonly status: number
  readonly seconds: number
  readonly code?: ProblemCode | undefined
}

/** Counts and times what is served, for Prometheus. */
export interface Metrics {
  observe(observation: Observation): void
  /** A figure that is looked up when the metrics are read. */
  gauge(name: string, help: string, read: () => number): void
  /** The same for one that only rises. */
  counter(name: string, help: string, read: () => number): void
  readonly contentType: string
  text(): Promise<string>
}

/** Few, so that all series together stay below 300, whatever is asked: see the test. */
const SECONDS = [0.005, 0.025, 0.1, 1]
/** Default metrics with a series for each kind of handle, which say little and grow with the version of Node. */
const LEFT_OUT = ['nodejs_active_handles', 'nodejs_active_resources', 'nodejs_active_requests']

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of LEFT_OUT) registry.removeSingleMetric(name)
  const requests = new Counter({
    name: 'loregraph_http_requests_total',
    help: 'Requests answered, by operation or page and class of status.',
    labelNames: ['route', 'status'],
    registers,
  })
  const problems = new Counter({
    name: 'loregraph_http_problems_total',
    help: 'Requests answered with a problem, by its code.',
    labelNames: ['code'],
    registers,
  })
  const durations = new Histogram({
    name: 'loregraph_http_request_duration_seconds',
    help: 'How long operations took from receipt of the request to the last byte of the answer.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  return {
    observe({ route, isOperation, status, seconds, code }) {
      requests.inc({ route, status: CLASSES[Math.floor(status / 100)] ?? 'other' })
      if (code !== undefined) problems.inc({ code })
      if (isOperation) durations.observe({ route }, seconds)
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

const CLASSES = ['other', '1xx', '2xx', '3xx', '4xx', '5xx']
