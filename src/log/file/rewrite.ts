import { dirname, join } from 'node:path'
import type { Erased } from '../../graph/records.js'
import { createYielding, inSlices } from '../../loop/yielding.js'
import { type Entry, lastPositionOf, type StoredRecord, toStored } from '../entries.js'
import type { Erasure } from '../graph-log.js'
import { JournalSwap } from './compact.js'
import { flushedFolder } from './disk/durable.js'
import { Broken } from './disk/errors.js'
import type { OpenFile } from './disk/files.js'
import { encodeFrame, type Group, headOf, isEmptied, isIntact } from './frame.js'
import {
  createJournal,
  type GraphHome,
  indexPath,
  type Journal,
  journalPath,
  snapshotOf,
  snapshotPath,
} from './journal.js'
import { type LogLine, linesOf } from './scan.js'

/**
 * Makes a new folder hold the graph of another one, up to a position, and gives its journal. The snapshot and the index get
 * second names, since they are never written to, and so do files that a repair set aside; the frames after the snapshot are
 * copied. Whatever a former owner still does to the other folder, the files that are read here are opened once, and what is
 * read follows on what the snapshot holds.
 */
export async function copyGraph(from: GraphHome, to: GraphHome, lastSeq: number): Promise<Journal> {
  const { files, folder } = to
  const journal = await files.openToRead(journalPath(from))
  let swap: JournalSwap
  try {
    await files.makeFolder(folder)
    for (const pathOf of [snapshotPath, indexPath])
      if (files.identify(pathOf(from)) !== undefined) await files.link(pathOf(from), pathOf(to))
    for (const name of await files.list(from.folder))
      if (isSetAside(name)) await files.link(join(from.folder, name), join(folder, name))
    const low = snapshotOf(to)
    await low.read()
    const { through } = low.data
    const { start, end } = await extentOf(journal, journalPath(from), through, lastSeq)
    swap = await JournalSwap.begin(to, journal, through, start, end)
    await swap.copyTo(end).catch((error: unknown) => swap.abandon().then(() => Promise.reject(error)))
  } catch (error) {
    await journal.close()
    throw error
  }
  try {
    const copy = await swap.finish(lastSeq)
    await flushedFolder(files, dirname(folder))
    return copy
  } catch (error) {
    await swap.abandon()
    throw error
  }
}

/** The name of a file that a repair set aside. */
export function isSetAside(name: string): boolean {
  return /\.damaged-\d+$/.test(name)
}

/** Where the frames after `through` begin and where position `lastSeq` ends. */
async function extentOf(
  file: OpenFile,
  path: string,
  through: number,
  lastSeq: number,
): Promise<{ readonly start: number; readonly end: number }> {
  let start: number | undefined
  let end = 0
  let last = through
  for await (const lines of linesOf(file))
    for (const { offset, bytes, ended } of lines) {
      const head = ended && isIntact(bytes) ? headOf(bytes) : undefined
      if (head === undefined || head.seq !== last + 1 || last >= lastSeq) continue
      start ??= offset
      last += head.count
      end = offset + bytes.length + 1
    }
  if (last !== lastSeq) throw new Broken(path, end, `position ${last + 1} cannot be read`)
  return { start: start ?? end, end }
}

/**
 * Writes a graph into a new folder as an erasure leaves it, in a snapshot and an empty journal. Lines that stay as they were
 * are copied byte for byte; neighbours of which nothing is left become one.
 */
export async function writeErased(
  from: AsyncIterable<readonly LogLine[]>,
  to: GraphHome,
  { changed, erased }: Pick<Erasure, 'changed' | 'erased'>,
): Promise<Journal> {
  await to.files.makeFolder(to.folder)
  const through = lastPositionOf(erased)
  const low = snapshotOf(to)
  low.data = { ...low.data, through, lines: () => linesLeft(from, changed, erased) }
  await low.write()
  return createJournal(to, through, async () => undefined)
}

async function* linesLeft(
  from: AsyncIterable<readonly LogLine[]>,
  changed: readonly Entry[],
  erased: Entry,
): AsyncGenerator<readonly LogLine[]> {
  const yielding = createYielding()
  const changes = new Map<number, Entry>()
  for (const entry of changed) {
    changes.set(entry.position, entry)
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  let empty: { readonly seq: number; readonly count: number } | undefined
  for await (const lines of from) {
    const left: LogLine[] = []
    for (const line of lines) {
      const { seq, count } = line
      const entry = changes.get(seq)
      const isEmpty = entry === undefined ? isEmptied(line.bytes) : isNothing(entry)
      if (isEmpty) empty = { seq: empty?.seq ?? seq, count: (empty?.count ?? 0) + count }
      else {
        if (empty !== undefined)
          left.push(await encoded({ position: empty.seq, count: empty.count, records: [] }))
        empty = undefined
        left.push(entry === undefined ? line : await encoded(entry))
      }
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    if (left.length > 0) yield left
  }
  const last = empty && (await encoded({ position: empty.seq, count: empty.count, records: [] }))
  yield [...(last === undefined ? [] : [last]), await encoded(erased)]
}

function isNothing({ records, once }: Entry): boolean {
  return records.length === 0 && once === undefined
}

async function encoded(entry: Entry): Promise<LogLine> {
  const { position: seq, count } = entry
  const frame = { seq, flushed: seq - 1, ...groupOf(entry) }
  const line = Buffer.concat(await inSlices(encodeFrame(frame, () => 0)))
  return { seq, count, flushed: seq - 1, offset: 0, bytes: line.subarray(0, -1) }
}

/** An entry as it is written. `op` comes first, so that an erasure is found without parsing. */
export function groupOf(entry: Entry): Group<StoredRecord> {
  const { records, once } = toStored(entry)
  const ordered = records.map((record) => (record.op === 'erased' ? opFirst(record) : record))
  return { count: entry.count, records: ordered, ...(once !== undefined && { once }) }
}

function opFirst({ op, ...rest }: Erased): Erased {
  return { op, ...rest }
}
