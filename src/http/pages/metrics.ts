import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ProblemCode } from '../problems/problems.js'

/** A finished request. No field holds text from the client, so that the number of series stays bounded. */
interface Observation {
  /** The id of the operation, the route template or the path of the page; `none` when nothing matched. */
  readonly route: string
  /** Only operations are timed: pages are served from memory. */
  readonly isOperation: boolean
  readonly status: number
  readonly seconds: number
  readonly code?: ProblemCode | undefined
}

/** Counts and times requests, for Prometheus. */
export interface Metrics {
  observe(observation: Observation): void
  /** Adds a gauge, read when the metrics are. */
  gauge(name: string, help: string, read: () => number): void
  /** Adds a counter, read when the metrics are. */
  counter(name: string, help: string, read: () => number): void
  readonly contentType: string
  text(): Promise<string>
}

/** Few buckets, so that there are fewer than 300 series whatever clients send; see the test. */
const BUCKET_SECONDS = [0.005, 0.025, 0.1, 1]
/** Default metrics with a series per kind of handle: of little use, and more of them in each new Node. */
const UNUSED_METRICS = ['nodejs_active_handles', 'nodejs_active_resources', 'nodejs_active_requests']

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of UNUSED_METRICS) registry.removeSingleMetric(name)
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
    buckets: BUCKET_SECONDS,
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
