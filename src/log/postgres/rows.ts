import type { GraphId } from '../../domain/model.js'
import { type Entry, lastPositionOf, type StoredEntry, toEntry, toStored, UnknownRecord } from '../entries.js'
import { type Head, NewerVersion } from '../graph-log.js'

/** Incremented with each kind of record that earlier versions do not know. Stored for each graph in `graphs.min_version`. */
export const ENTRY_VERSION = 1

/** A row of `graphs`. */
export interface GraphRow {
  readonly graph_id: string
  readonly epoch: number
  readonly position: number
  readonly append_id: string
  readonly erased_at: number
  readonly bytes: number
}

export function toHead(row: GraphRow): Head {
  const { graph_id, epoch, position, append_id, erased_at, bytes } = row
  return {
    graphId: graph_id,
    epoch: String(epoch),
    position,
    appendId: append_id,
    erasedAt: erased_at,
    bytes,
  }
}

/** The columns of `entries` that make an entry. */
export interface EntryRow {
  readonly position: number
  readonly count: number
  readonly entry: string
}

export function fromRow(graphId: GraphId, { position, count, entry }: EntryRow): Entry {
  try {
    // Safe to cast: `Batch` wrote it.
    return toEntry(position, count, JSON.parse(entry) as StoredEntry)
  } catch (error) {
    throw error instanceof UnknownRecord ? new NewerVersion(graphId) : error
  }
}

/** Splits the texts of a `Batch`. */
export const texts = (parameter: string) => `string_to_array(${parameter}::text, E'\\n')`

/** Entries as the columns of an INSERT. */
export class Batch {
  readonly positions: number[] = []
  readonly counts: number[] = []
  readonly texts: string[] = []
  bytes = 0
  last = 0
  erasedAt = 0

  constructor(entries: readonly Entry[] = []) {
    for (const entry of entries) this.add(entry)
  }

  add(entry: Entry): void {
    const text = JSON.stringify(toStored(entry))
    this.positions.push(entry.position)
    this.counts.push(entry.count)
    this.texts.push(text)
    this.bytes += Buffer.byteLength(text)
    this.last = lastPositionOf(entry)
    for (const { op, seq } of entry.records) if (op === 'erased') this.erasedAt = seq
  }

  get columns(): readonly unknown[] {
    return [this.positions, this.counts, this.text]
  }

  /** All texts in one string, since the driver is slow to escape arrays. JSON contains no line feeds. */
  get text(): string {
    return this.texts.join('\n')
  }
}
