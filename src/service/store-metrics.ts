import type { Metrics } from '../http/pages/metrics.js'
import type { FileStore } from '../log/file-store.js'
import type { OpenGraphsStats } from '../log/open-graphs.js'
import type { PostgresStore } from '../log/postgres-store.js'
import type { Backlog } from './meaning/backlog.js'
import type { OpenMeaning } from './meaning/open-meaning.js'

type Add = (name: string, help: string, read: () => number) => void

/** Adds metrics whose names begin alike. */
function named(metrics: Metrics, part: string): { readonly gauge: Add; readonly counter: Add } {
  return {
    gauge: (name, help, read) => metrics.gauge(`loregraph_${part}_${name}`, help, read),
    counter: (name, help, read) => metrics.counter(`loregraph_${part}_${name}`, help, read),
  }
}

export function storeMetrics(metrics: Metrics, store: Pick<FileStore, 'stats' | 'health'>): void {
  const { gauge, counter } = named(metrics, 'store')
  gauge('graphs', 'Number of graphs.', () => store.stats().graphs)
  openGraphMetrics(metrics, store)
  gauge('writable', '1 when events can be recorded, else 0.', () => Number(store.health().writable))
  counter('flushes_total', 'Flushes of a file to disk.', () => store.stats().flushes)
  counter('compactions_total', 'Journals compacted into their snapshots.', () => store.stats().compactions)
  gauge(
    'folders_not_removed',
    'Folders of what was erased or replaced that could not be removed yet. Each is tried again.',
    () => store.stats().notRemoved,
  )
}

/** Metrics of the store on PostgreSQL, which has its own metrics of disks. */
export function databaseMetrics(metrics: Metrics, store: Pick<PostgresStore, 'stats' | 'health'>): void {
  const { gauge } = named(metrics, 'store')
  openGraphMetrics(metrics, store)
  gauge('writable', '1 when events can be recorded, else 0.', () => Number(store.health().writable))
  gauge('connections', 'Connections to the database.', () => store.stats().connections.open)
  gauge('connections_idle', 'Idle connections to the database.', () => store.stats().connections.idle)
  gauge(
    'connections_awaited',
    'Requests that wait for a connection.',
    () => store.stats().connections.waiting,
  )
}

function openGraphMetrics(metrics: Metrics, store: { stats(): OpenGraphsStats }): void {
  const { gauge, counter } = named(metrics, 'store')
  gauge('open_graphs', 'Graphs open in memory.', () => store.stats().open)
  gauge('opening_graphs', 'Graphs that are being opened.', () => store.stats().opening)
  gauge('open_bytes', 'About how many bytes of memory open graphs take.', () => store.stats().bytes)
  counter('openings_total', 'Graphs opened.', () => store.stats().openings)
  counter('opening_seconds_total', 'Time spent opening graphs.', () => store.stats().openingMs / 1000)
}

export function meaningMetrics(
  metrics: Metrics,
  backlog: Pick<Backlog, 'unread'>,
  meaning: Pick<OpenMeaning, 'waiting'>,
): void {
  const { gauge } = named(metrics, 'meaning')
  gauge('unread', 'Memories that have not been read for meaning yet.', () => backlog.unread)
  gauge('waiting', 'Texts that wait in the queue of the reader.', () => meaning.waiting)
}

export function logMetrics(metrics: Metrics, droppedLines: () => number): void {
  metrics.counter(
    'loregraph_log_dropped_lines_total',
    'Lines of the log that could not be written.',
    droppedLines,
  )
}
