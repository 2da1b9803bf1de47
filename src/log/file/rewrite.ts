import { dirname, join } from 'node:path'
import type { Erased } from '../../graph/records.js'
import { createYielding, inSlices } from '../../loop/yielding.js'
import { type Entry, lastPositionOf, type StoredRecord, toStored } from '../entries.js'
import type { Erasure } from '../graph-log.js'
import { flushFolder } from './disk/durable.js'
import { Broken, Fatal } from './disk/errors.js'
import { encodeFrame, type Group, isEmptyLine } from './frame.js'
import {
  type GraphHome,
  indexPath,
  type Journal,
  journalPath,
  type NewJournal,
  rewriteJournal,
  snapshotOf,
  snapshotPath,
  writeSnapshot,
} from './journal.js'
import { Reading } from './reading.js'
import { frameIn, type LogLine, linesIn } from './scan.js'

/**
 * Compacts the journal into a new snapshot while writes go on. At every step the files on disk add up to the same graph: first
 * the snapshot gets the records of the journal, then the journal is replaced by one without them. `replace` blocks writers while
 * it runs its argument.
 */
export async function compact(
  home: GraphHome,
  journal: Journal,
  replace: (write: () => Promise<Journal>) => Promise<void>,
): Promise<void> {
  const { size, lastSeq } = journal
  try {
    await withReading(home, lastSeq, (reading) => writeSnapshot(home, lastSeq, reading.lines()))
    await replace(() => rewriteJournal(home, lastSeq, () => journalLines(home, size, journal.size)))
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    throw new Fatal(`${error.file} is damaged at byte ${error.offset}, where it was not before.`)
  }
}

/** The lines of the journal between two offsets. */
async function* journalLines(
  home: GraphHome,
  start: number,
  end: number,
): AsyncGenerator<readonly LogLine[]> {
  const path = journalPath(home)
  for await (const lines of linesIn(home.files, path, start, end))
    yield lines.map((line) => {
      const frame = frameIn(line)
      if (frame === undefined) throw new Broken(path, line.offset, 'a record does not match its checksum')
      return frame
    })
}

/**
 * Copies a graph up to a position into a new folder, and returns its journal. The snapshot, the index and damaged copies are
 * hard-linked, since they are never written to; the frames after the snapshot are copied. A former owner may still change the
 * old folder: each file is opened only once, and the copied frames must continue the linked snapshot.
 */
export async function copyGraph(from: GraphHome, to: GraphHome, lastSeq: number): Promise<Journal> {
  const { files, folder } = to
  return withReading(from, lastSeq, async (reading) => {
    await files.makeFolder(folder)
    for (const pathOf of [snapshotPath, indexPath])
      if (files.identify(pathOf(from)) !== undefined) await files.link(pathOf(from), pathOf(to))
    for (const name of await files.list(from.folder))
      if (isDamagedCopy(name)) await files.link(join(from.folder, name), join(folder, name))
    const low = snapshotOf(to)
    await low.read()
    const { through } = low.data
    if (through > lastSeq) throw new Broken(snapshotPath(to), 0, `it ends at ${through}, not ${lastSeq}`)
    const journal = await rewriteJournal(to, through, () => reading.lines(through))
    await flushFolder(files, dirname(folder))
    return journal
  })
}

async function withReading<T>(
  home: GraphHome,
  through: number,
  use: (reading: Reading) => Promise<T>,
): Promise<T> {
  const reading = await Reading.open(home, through)
  try {
    return await use(reading)
  } finally {
    await reading.close()
  }
}

/** Is this the name of a damaged file that a repair kept? */
export function isDamagedCopy(name: string): boolean {
  return /\.damaged-\d+$/.test(name)
}

/**
 * Writes a graph after an erasure into a new folder, as a snapshot and an empty journal. Unchanged lines are copied byte for
 * byte; adjacent empty lines are merged.
 */
export async function writeAfterErasure(
  from: GraphHome,
  to: GraphHome,
  lastSeq: number,
  { changed, erased }: Erasure,
): Promise<NewJournal> {
  const through = lastPositionOf(erased)
  let bytes = 0
  const lines = async function* (reading: Reading) {
    for await (const lines of linesAfterErasure(reading.lines(), changed, erased)) {
      for (const line of lines) bytes += line.bytes.length
      yield lines
    }
  }
  const journal = await withReading(from, lastSeq, (reading) => writeGraph(to, through, lines(reading)))
  return { journal, bytes }
}

/** Writes a graph into a new folder, as a snapshot and an empty journal. */
export async function writeGraph(
  to: GraphHome,
  through: number,
  lines: AsyncIterable<readonly LogLine[]>,
): Promise<Journal> {
  const { files, folder } = to
  await files.makeFolder(folder)
  await writeSnapshot(to, through, lines)
  const journal = await rewriteJournal(to, through, async function* () {})
  await flushFolder(files, dirname(folder))
  return journal
}

async function* linesAfterErasure(
  from: AsyncIterable<readonly LogLine[]>,
  changed: readonly Entry[],
  erased: Entry,
): AsyncGenerator<readonly LogLine[]> {
  const yielding = createYielding()
  const changes = new Map(changed.map((entry) => [entry.position, entry]))
  let empty: Entry | undefined
  for await (const lines of from) {
    const page: LogLine[] = []
    for (const line of lines) {
      const { seq, count } = line
      const entry = changes.get(seq)
      const isEmpty = entry === undefined ? isEmptyLine(line.bytes) : isEmptyEntry(entry)
      if (isEmpty)
        empty = { position: empty?.position ?? seq, count: (empty?.count ?? 0) + count, records: [] }
      else {
        if (empty !== undefined) page.push(await encodeEntry(empty))
        empty = undefined
        page.push(entry === undefined ? line : await encodeEntry(entry))
      }
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    if (page.length > 0) yield page
  }
  if (empty !== undefined) yield [await encodeEntry(empty)]
  yield [await encodeEntry(erased)]
}

function isEmptyEntry({ records, once }: Entry): boolean {
  return records.length === 0 && once === undefined
}

async function encodeEntry(entry: Entry): Promise<LogLine> {
  const { position: seq, count } = entry
  const frame = { seq, flushed: seq - 1, ...toGroup(entry) }
  const line = await inSlices(encodeFrame(frame))
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
