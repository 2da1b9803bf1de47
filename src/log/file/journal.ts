import { basename, dirname, join } from 'node:path'
import { Low } from 'lowdb'
import type { GraphId } from '../../domain/model.js'
import { inSlices } from '../../loop/yielding.js'
import type { StoredRecord } from '../entries.js'
import { flushFolder, replaceFile } from './disk/durable.js'
import { Broken } from './disk/errors.js'
import type { Files } from './disk/files.js'
import { checkHeader, encodeHeader, type Group, isErasure } from './frame.js'
import { encodeGroups, LogFile } from './log-file.js'
import { type LogLine, type LogScan, scanLog } from './scan.js'
import { type Snapshot, SnapshotFile } from './snapshot.js'

/** The folder of a graph. */
export interface GraphHome {
  readonly files: Files
  readonly graph: GraphId
  readonly folder: string
}

/** The result of reading a graph on disk. */
export interface GraphScan {
  /** The last position. */
  readonly position: number
  readonly journal: LogScan
  /** The position of the last `erased` entry, 0 if there is none. */
  readonly erasedAt: number
  /** The length of all frames, without separators. */
  readonly bytes: number
}

export type Journal = LogFile<StoredRecord>

export function journalPath({ folder }: Pick<GraphHome, 'folder'>): string {
  return join(folder, 'journal.ndjson')
}

export function snapshotPath({ folder }: Pick<GraphHome, 'folder'>): string {
  return join(folder, 'snapshot.json')
}

/** The vectors of the memories: derived data, which may be missing, damaged or out of date. */
export function vectorsPath({ folder }: GraphHome): string {
  return join(folder, 'vectors')
}

/** The word index of the memories: derived data, too. */
export function indexPath({ folder }: GraphHome): string {
  return join(folder, 'indexes')
}

/** The folder of a graph in a data folder. */
export function homeIn(files: Files, dataFolder: string, graph: GraphId, name: string): GraphHome {
  return { files, graph, folder: join(dataFolder, 'graphs', name) }
}

export function nameOf({ folder }: GraphHome): string {
  return basename(folder)
}

/** The snapshot of a graph in lowdb; an empty one if there is no file. */
export function snapshotOf(home: GraphHome): Low<Snapshot> {
  const empty: Snapshot = {
    graph: home.graph,
    through: 0,
    lines: async function* () {},
  }
  return new Low(new SnapshotFile(home.files, snapshotPath(home)), empty)
}

/** Replaces the snapshot of a graph by one with these lines, which end at position `through`. */
export function writeSnapshot(
  home: GraphHome,
  through: number,
  lines: AsyncIterable<readonly LogLine[]>,
): Promise<void> {
  const low = snapshotOf(home)
  low.data = { ...low.data, through, lines: () => lines }
  return low.write()
}

/** Calls `visit` with the frames of the graph, in order. Throws `Broken` if anything is damaged. */
export async function readGraph(
  home: GraphHome,
  visit: (lines: readonly LogLine[]) => void | Promise<void>,
): Promise<GraphScan> {
  const path = journalPath(home)
  if (home.files.identify(path) === undefined) throw new Broken(path, 0, 'the file is missing')
  let erasedAt = 0
  let total = 0
  const visitAll = (lines: readonly LogLine[]) => {
    for (const { seq, bytes } of lines) {
      if (isErasure(bytes)) erasedAt = seq
      total += bytes.length
    }
    return visit(lines)
  }
  const low = snapshotOf(home)
  await low.read()
  const { graph, through, lines } = low.data
  if (graph !== home.graph)
    throw new Broken(snapshotPath(home), 0, `it is the snapshot of ${graph}, not of ${home.graph}`)
  for await (const some of lines()) await visitAll(some)
  const journal = await scanLog(
    home.files,
    path,
    (header) => positionBefore(home, header, through),
    (some) => visitAll(some.filter(({ seq }) => seq > through)),
  )
  return { position: Math.max(journal.lastSeq, through), journal, erasedAt, bytes: total }
}

/** The position before the first frame of a journal. */
function positionBefore(home: GraphHome, header: unknown, through: number): number {
  const { after } = checkHeader(journalPath(home), header, `graph ${home.graph}`)
  if (after > through)
    throw new Broken(
      snapshotPath(home),
      0,
      through === 0
        ? 'the file is missing'
        : `it ends at position ${through}, but the journal goes on from ${after}`,
    )
  return after
}

/** A journal that was written anew, and the length of its frames without separators. */
export interface NewJournal {
  readonly journal: Journal
  readonly bytes: number
}

/** Writes the journal of a new graph into a new folder. */
export async function createJournal(
  home: GraphHome,
  pages: AsyncIterable<readonly Group<StoredRecord>[]>,
): Promise<NewJournal> {
  const { files, folder } = home
  const header = encodeHeader(`graph ${home.graph}`, 0)
  let size = header.length
  let bytes = 0
  let lastSeq = 0
  await files.makeFolder(folder)
  await replaceFile(files, journalPath(home), async (file) => {
    await file.append(header)
    for await (const groups of pages) {
      const lines = await inSlices(encodeGroups(groups, lastSeq, size))
      await file.append(lines)
      size += lines.length
      bytes += lines.length - groups.length
      for (const { count } of groups) lastSeq += count
    }
  })
  await flushFolder(files, dirname(folder))
  return { journal: new LogFile(files, journalPath(home), size, lastSeq), bytes }
}

/**
 * Replaces the journal by one with these lines, which come after position `after`; they are read twice. A process that still has
 * the old file open writes to an unlinked file, which is never read.
 */
export async function rewriteJournal(
  home: GraphHome,
  after: number,
  lines: () => AsyncIterable<readonly LogLine[]>,
): Promise<Journal> {
  let length = 0
  let lastSeq = after
  for await (const some of lines())
    for (const { bytes, count } of some) {
      length += bytes.length + 1
      lastSeq += count
    }
  const header = encodeHeader(`graph ${home.graph}`, after, length)
  await replaceFile(home.files, journalPath(home), async (file) => {
    await file.append(header)
    for await (const some of lines())
      if (some.length > 0) await file.append(Buffer.concat(some.flatMap(({ bytes }) => [bytes, LINE_FEED])))
  })
  return new LogFile(home.files, journalPath(home), header.length + length, lastSeq)
}

const LINE_FEED = Buffer.from('\n')
