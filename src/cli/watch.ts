import type { Metrics } from '../http/metrics.js'
import type { JsonStore } from '../store/json/store.js'

/** What the store says of itself when somebody reads the metrics. */
export function watchStore(metrics: Metrics, store: Pick<JsonStore, 'stats' | 'health'>): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge(`loregraph_store_${name}`, help, read)
  const counter = (name: string, help: string, read: () => number) =>
    metrics.counter(`loregraph_store_${name}`, help, read)
  gauge('graphs', 'Graphs that there are.', () => store.stats().graphs)
  gauge('open_graphs', 'Graphs that are held in memory.', () => store.stats().openGraphs)
  gauge('writable', '1 when events can be recorded, else 0.', () => Number(store.health().writable))
  counter('flushes_total', 'Flushes of a file to disk.', () => store.stats().flushes)
  counter('folds_total', 'Journals folded into their snapshots.', () => store.stats().folds)
}
