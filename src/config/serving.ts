import { isIP, isIPv6 } from 'node:net'
import type { Environment } from './database.js'

/** Settings of `serve` about its callers: limits, origins, metrics, host names. */
export interface ServingSettings {
  /** Undefined for no limit. Wrong secrets are limited in any case. */
  readonly rateLimit: Rate | undefined
  readonly corsOrigins: readonly string[]
  readonly metricsReaders: MetricsReaders
  /** Host names to accept besides those of loopback; undefined for all. */
  readonly allowedHosts: readonly string[] | undefined
  /** Time for requests under way to finish when the service stops. */
  readonly stopSeconds: number
}

/** Names with their help texts. */
export const SERVING_SETTINGS: readonly (readonly [string, string])[] = [
  [
    'LOREGRAPH_RATE_LIMIT',
    'requests a key may make, e.g. 1000/10s (the default) or 50/1m; off for no limit but that of wrong secrets',
  ],
  [
    'LOREGRAPH_CORS_ORIGINS',
    'origins whose pages may call the service, e.g. https://a.example,http://localhost:3000',
  ],
  ['LOREGRAPH_METRICS', 'who may read /metrics: local (this machine, the default), public or off'],
  [
    'LOREGRAPH_ALLOWED_HOSTS',
    'host names to answer to besides loopback, e.g. lore.example; on a loopback address none if absent, else any',
  ],
  ['LOREGRAPH_STOP_SECONDS', 'seconds that what is under way may take after a SIGTERM (default: 8)'],
]

const RATE = /^([1-9]\d{0,6})\/([1-9]\d{0,3})(s|m|h)$/
const SECONDS = { s: 1, m: 60, h: 3600 }
const MAX_WINDOW_SECONDS = 86_400
const STOP_SECONDS = /^(?:[3-9]|[1-9]\d{1,3})$/

export function readServing(env: Environment, mistakes: string[]): ServingSettings {
  const rate = env['LOREGRAPH_RATE_LIMIT'] ?? '1000/10s'
  const rateLimit = rate === 'off' ? undefined : parseRate(rate)
  if (rate !== 'off' && rateLimit === undefined)
    mistakes.push(
      `LOREGRAPH_RATE_LIMIT must be off, or requests and a time of at most a day, such as 1000/10s, not ${JSON.stringify(rate)}.`,
    )
  const origins = env['LOREGRAPH_CORS_ORIGINS']?.split(',').map((origin) => origin.trim()) ?? []
  for (const origin of origins)
    if (!isOrigin(origin))
      mistakes.push(
        `LOREGRAPH_CORS_ORIGINS must list origins, such as https://a.example or http://localhost:3000, separated by commas; ${JSON.stringify(origin)} is none.`,
      )
  const readers = env['LOREGRAPH_METRICS'] ?? 'local'
  const metricsReaders = METRICS_READERS.find((known) => known === readers)
  if (metricsReaders === undefined)
    mistakes.push(
      `LOREGRAPH_METRICS must be one of ${METRICS_READERS.join(', ')}, not ${JSON.stringify(readers)}.`,
    )
  const hosts = env['LOREGRAPH_ALLOWED_HOSTS']?.split(',').map((host) => host.trim().toLowerCase())
  for (const host of hosts ?? [])
    if (!isHost(host))
      mistakes.push(
        `LOREGRAPH_ALLOWED_HOSTS must list host names or addresses without ports, separated by commas; ${JSON.stringify(host)} is none.`,
      )
  const stop = env['LOREGRAPH_STOP_SECONDS'] ?? '8'
  if (!STOP_SECONDS.test(stop))
    mistakes.push(
      `LOREGRAPH_STOP_SECONDS must be a whole number from 3 to 9999, not ${JSON.stringify(stop)}.`,
    )
  return {
    rateLimit,
    corsOrigins: [...new Set(origins)],
    metricsReaders: metricsReaders ?? 'local',
    allowedHosts: hosts && [...new Set(hosts.map(canonicalHost))],
    stopSeconds: Number(stop),
  }
}

function parseRate(text: string): Rate | undefined {
  const [, quota, times, unit] = RATE.exec(text) ?? []
  const windowSeconds = Number(times) * (SECONDS[unit as keyof typeof SECONDS] ?? Number.NaN)
  return windowSeconds <= MAX_WINDOW_SECONDS ? { quota: Number(quota), windowSeconds } : undefined
}

/** Exactly as browsers send it, without path or default port. Not `null`, which any page can send. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/

export function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME.test(text)
}

/** As browsers write it: one IPv6 address can be written in many ways. */
function canonicalHost(host: string): string {
  return isIPv6(host) ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host
}

/** Who may read the metrics: clients on this machine, everybody, nobody. */
const METRICS_READERS = ['local', 'public', 'off'] as const

export type MetricsReaders = (typeof METRICS_READERS)[number]

/** The limit of a token bucket: `quota` requests at once, refilled at `quota` per window. */
export interface Rate {
  readonly quota: number
  readonly windowSeconds: number
}
