import { basename, dirname, join } from 'node:path'
import { Low } from 'lowdb'
import type { GraphId } from '../../domain/model.js'
import { inSlices } from '../../loop/yielding.js'
import type { StoredRecord } from '../entries.js'
import { flushFile, flushFolder } from './disk/durable.js'
import { Broken } from './disk/errors.js'
import type { Files } from './disk/files.js'
import type { Fence } from './disk/lock.js'
import { checkHeader, encodeHeader, type Group, isErasure, JOURNAL_FORMAT, type LogHeader } from './frame.js'
import { encodeGroups, LogFile, lengthOf } from './log-file.js'
import { type Ending, type LogLine, scanLog } from './scan.js'
import { type Snapshot, SnapshotFile } from './snapshot.js'

/** The folder of a graph. */
export interface GraphHome {
  readonly files: Files
  readonly fence: Fence
  readonly graph: GraphId
  readonly folder: string
}

/** The result of reading a graph on disk. */
export interface GraphScan {
  readonly snapshot: { readonly through: number; readonly size: number }
  readonly journal: {
    readonly size: number
    readonly lastSeq: number
    readonly ending: Ending
    /** The offset of the first frame that is not in the snapshot. */
    readonly uncompacted: number
  }
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

/** The same graph in another folder with the same parent. */
export function siblingHome(home: GraphHome, name: string): GraphHome {
  return { ...home, folder: join(dirname(home.folder), name) }
}

export function nameOf({ folder }: GraphHome): string {
  return basename(folder)
}

/** The snapshot of a graph in lowdb; an empty one if there is no file. */
export function snapshotOf(home: GraphHome): Low<Snapshot> {
  const empty: Snapshot = {
    format: JOURNAL_FORMAT,
    graph: home.graph,
    through: 0,
    lines: async function* () {},
  }
  return new Low(new SnapshotFile(home.files, snapshotPath(home)), empty)
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
  const file = await home.files.openToRead(path)
  try {
    let uncompacted: number | undefined
    const { header, size, lastSeq, ending } = await scanLog(
      file,
      (header) => checkJournalHeader(home, header, through).after,
      (some) => {
        const further = some.filter(({ seq }) => seq > through)
        uncompacted ??= further[0]?.offset
        return visitAll(further)
      },
    )
    if (ending.kind === 'broken') throw new Broken(path, size, ending.why)
    checkJournalHeader(home, header, through)
    const snapshotSize = home.files.identify(snapshotPath(home))?.size ?? 0
    return {
      snapshot: { through, size: snapshotSize },
      journal: { size, lastSeq, ending, uncompacted: uncompacted ?? size },
      erasedAt,
      bytes: total,
    }
  } finally {
    await file.close()
  }
}

function checkJournalHeader(home: GraphHome, header: unknown, through: number): LogHeader {
  const checked = checkHeader(journalPath(home), header, `graph ${home.graph}`)
  const { after } = checked
  if (after > through)
    throw new Broken(
      snapshotPath(home),
      0,
      through === 0
        ? 'the file is missing'
        : `it ends at position ${through}, but the journal goes on from ${after}`,
    )
  return checked
}

/**
 * Writes the journal of a graph into a new folder, and flushes the file and its folders. The file gets its name only once it
 * is complete. The folder must be new.
 */
export async function createJournal(
  home: GraphHome,
  after: number,
  fill: (write: (groups: readonly Group<StoredRecord>[]) => Promise<void>) => Promise<void>,
): Promise<Journal> {
  const { files, fence, folder } = home
  const path = journalPath(home)
  const temporary = `${path}.tmp`
  await files.makeFolder(folder)
  const file = await files.openToAppend(temporary, true)
  try {
    const header = encodeHeader(`graph ${home.graph}`, after)
    let pending: Buffer[] = [header]
    let pendingBytes = header.length
    let size = header.length
    let lastSeq = after
    const flush = async () => {
      for (const chunk of pendingBytes < 2 * CHUNK ? [Buffer.concat(pending)] : pending)
        await file.append(chunk)
      pending = []
      pendingBytes = 0
    }
    await fill(async (groups) => {
      const chunks = await inSlices(encodeGroups(groups, lastSeq, size))
      const length = lengthOf(chunks)
      pending.push(...chunks)
      pendingBytes += length
      size += length
      for (const { count } of groups) lastSeq += count
      if (pendingBytes >= CHUNK) await flush()
    })
    if (pendingBytes > 0) await flush()
    await flushFile(file, temporary)
    await files.rename(temporary, path)
    await flushFolder(files, folder)
    await flushFolder(files, dirname(folder))
    return new LogFile(files, fence, path, file, size, lastSeq)
  } catch (error) {
    await file.close()
    throw error
  }
}

const CHUNK = 256 * 1024

/** Cuts off an incomplete last frame, and flushes the file before anything else is written. */
export async function cutJournal(home: GraphHome, size: number): Promise<void> {
  const path = journalPath(home)
  const file = await home.files.openToAppend(path, false)
  try {
    await file.truncate(size)
    await flushFile(file, path)
  } finally {
    await file.close()
  }
}
