import { dirname, join } from 'node:path'
import type { Erased } from '../../graph/records.js'
import { createYielding, inSlices } from '../../loop/yielding.js'
import { type Entry, lastPositionOf, type StoredRecord, toStored } from '../entries.js'
import type { Erasure } from '../graph-log.js'
import { JournalSwap } from './compact.js'
import { flushFolder } from './disk/durable.js'
import { Broken } from './disk/errors.js'
import type { OpenFile } from './disk/files.js'
import { encodeFrame, type Group, headOf, isEmptyLine, isIntact } from './frame.js'
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
 * Copies a graph up to a position into a new folder, and returns its journal. The snapshot, the index and damaged copies are
 * hard-linked, since they are never written to; the frames after the snapshot are copied. A former owner may still change the
 * old folder: each file is opened only once, and the copied frames must continue the linked snapshot.
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
      if (isDamagedCopy(name)) await files.link(join(from.folder, name), join(folder, name))
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
    await flushFolder(files, dirname(folder))
    return copy
  } catch (error) {
    await swap.abandon()
    throw error
  }
}

/** Is this the name of a damaged file that a repair kept? */
export function isDamagedCopy(name: string): boolean {
  return /\.damaged-\d+$/.test(name)
}

/** The byte range of the frames from position `through` + 1 to `lastSeq`. */
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
    for (const { offset, bytes, isEnded } of lines) {
      const head = isEnded && isIntact(bytes) ? headOf(bytes) : undefined
      if (head === undefined || head.seq !== last + 1 || last >= lastSeq) continue
      start ??= offset
      last += head.count
      end = offset + bytes.length + 1
    }
  if (last !== lastSeq) throw new Broken(path, end, `position ${last + 1} cannot be read`)
  return { start: start ?? end, end }
}

/**
 * Writes a graph after an erasure into a new folder, as a snapshot and an empty journal. Unchanged lines are copied byte for
 * byte; adjacent empty lines are merged.
 */
export async function writeAfterErasure(
  from: AsyncIterable<readonly LogLine[]>,
  to: GraphHome,
  { changed, erased }: Pick<Erasure, 'changed' | 'erased'>,
): Promise<{ readonly journal: Journal; readonly bytes: number }> {
  await to.files.makeFolder(to.folder)
  const through = lastPositionOf(erased)
  let bytes = 0
  const low = snapshotOf(to)
  low.data = {
    ...low.data,
    through,
    async *lines() {
      for await (const lines of linesAfterErasure(from, changed, erased)) {
        for (const line of lines) bytes += line.bytes.length
        yield lines
      }
    },
  }
  await low.write()
  return { journal: await createJournal(to, through, async () => undefined), bytes }
}

async function* linesAfterErasure(
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
    const page: LogLine[] = []
    for (const line of lines) {
      const { seq, count } = line
      const entry = changes.get(seq)
      const isEmpty = entry === undefined ? isEmptyLine(line.bytes) : isEmptyEntry(entry)
      if (isEmpty) empty = { seq: empty?.seq ?? seq, count: (empty?.count ?? 0) + count }
      else {
        if (empty !== undefined)
          page.push(await encodeEntry({ position: empty.seq, count: empty.count, records: [] }))
        empty = undefined
        page.push(entry === undefined ? line : await encodeEntry(entry))
      }
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    if (page.length > 0) yield page
  }
  const last = empty && (await encodeEntry({ position: empty.seq, count: empty.count, records: [] }))
  yield [...(last === undefined ? [] : [last]), await encodeEntry(erased)]
}

function isEmptyEntry({ records, once }: Entry): boolean {
  return records.length === 0 && once === undefined
}

async function encodeEntry(entry: Entry): Promise<LogLine> {
  const { position: seq, count } = entry
  const frame = { seq, flushed: seq - 1, ...toGroup(entry) }
  const line = Buffer.concat(await inSlices(encodeFrame(frame, () => 0)))
  return { seq, count, flushed: seq - 1, offset: 0, bytes: line.subarray(0, -1) }
}

/** The stored form of an entry. Puts `op` first, so that `isErasure` needs no parsing. */
export function toGroup(entry: Entry): Group<StoredRecord> {
  const { records, once } = toStored(entry)
  const ordered = records.map((record) => (record.op === 'erased' ? opFirst(record) : record))
  return { count: entry.count, records: ordered, ...(once !== undefined && { once }) }
}

function opFirst({ op, ...rest }: Erased): Erased {
  return { op, ...rest }
}
