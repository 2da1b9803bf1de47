import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { EventRecord } from '../../../src/graph/records.js'
import type { Entry } from '../../../src/log/entries.js'
import type { GraphLog, Head, LockedLog } from '../../../src/log/graph-log.js'
import { openPostgresLog, type PostgresLog, type PostgresLogOptions } from '../../../src/log/postgres/log.js'
import { createDatabase, type TestDatabase } from '../../support/postgres.js'
import { SILENT } from '../../support/silent.js'

export function openLog(url: string, more: Partial<PostgresLogOptions> = {}): Promise<PostgresLog> {
  return openPostgresLog({ url, randomBytes, log: SILENT, ...more })
}

/** A fresh database and a log on it for the tests of a suite. */
export function useLog(options: Partial<PostgresLogOptions> = {}) {
  const bench = {} as { database: TestDatabase; log: PostgresLog }
  beforeAll(async () => {
    bench.database = await createDatabase()
    bench.log = await openLog(bench.database.url, options)
  })
  afterAll(async () => {
    await bench.log.close()
    await bench.database.drop()
  })
  return bench
}

/** The id of the memory that the record at a position makes. */
export function idAt(position: number): string {
  return `mem_${String(position).padStart(26, '0')}`
}

/** An entry of as many records as there are texts. */
export function entryAt(position: number, ...texts: string[]): Entry {
  return { position, count: texts.length, records: texts.map((text, i) => recordAt(position + i, text)) }
}

export function erasedAt(position: number, ...removed: (readonly [number, number])[]): Entry {
  const recordedAt = '2026-01-01T00:00:00.000Z'
  return { position, count: 1, records: [{ op: 'erased', seq: position, removed, recordedAt }] }
}

/** Adds an entry behind whatever is there. */
export async function add(log: LockedLog, graphId: string, ...texts: string[]): Promise<Head> {
  const head = await log.head(graphId)
  return log.append(graphId, head, [entryAt((head?.position ?? 0) + 1, ...texts)])
}

export async function entriesOf(log: GraphLog, graphId: string, after?: Head): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entries of log.read(graphId, after)) all.push(...entries)
  return all
}

/** The texts of all records, in order. */
export async function textsOf(log: GraphLog, graphId: string, after?: Head): Promise<string[]> {
  const entries = await entriesOf(log, graphId, after)
  return entries.flatMap(({ records }) =>
    records.flatMap((record) => (record.op === 'recorded' ? [String(record.payload['text'])] : [])),
  )
}

function recordAt(seq: number, text: string): EventRecord {
  return {
    op: 'recorded',
    id: idAt(seq),
    context: 'skill:a',
    kind: 'fact',
    payload: { text },
    seq,
    place: seq,
    source: 'agent',
    links: [],
    occurredAt: '2026-01-01T00:00:00.000Z',
    recordedAt: '2026-01-01T00:00:00.000Z',
  } as EventRecord
}
