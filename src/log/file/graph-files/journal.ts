import { dirname, join } from 'node:path'
import { Low } from 'lowdb'
import type { GraphId } from '../../../domain/model.js'
import { inSlices } from '../../../loop/yielding.js'
import type { StoredRecord } from '../../stored.js'
import { flushed, flushedFolder } from '../disk/durable.js'
import { Broken } from '../disk/errors.js'
import type { Files } from '../disk/files.js'
import type { Fence } from '../disk/lock.js'
import type { Group } from '../log/frame.js'
import { checkHeader, encodeHeader, JOURNAL_FORMAT, type LogHeader, refuseMissing } from '../log/header.js'
import { encodeGroups, Log, lengthOf } from '../log/log.js'
import { type Ending, type LogLine, scanLog } from '../log/scan.js'
import { type Snapshot, SnapshotFile } from './snapshot.js'

/** Where one graph is kept. */
export interface GraphHome {
  readonly files: Files
  readonly fence: Fence
  readonly graph: GraphId
  readonly folder: string
}

/** What was found on disk. */
export interface GraphScan {
  /** The earlier of the formats of snapshot and journal. */
  readonly format: number
  readonly snapshot: { readonly through: number; readonly size: number }
  readonly journal: {
    readonly size: number
    readonly lastSeq: number
    readonly ending: Ending
    /** Where the records begin that the snapshot does not hold. */
    readonly uncompacted: number
  }
}

export function journalPath({ folder }: GraphHome): string {
  return join(folder, 'journal.ndjson')
}

export function snapshotPath({ folder }: GraphHome): string {
  return join(folder, 'snapshot.json')
}

/** The vectors of the memories: derived, so that they may be missing, damaged or out of date. */
export function vectorsPath({ folder }: GraphHome): string {
  return join(folder, 'vectors')
}

/** The indexes of the memories: derived as well. */
export function indexPath({ folder }: GraphHome): string {
  return join(folder, 'indexes')
}

/** The snapshot of a graph in lowdb; without a file, that of a graph to which nothing has happened. */
export function snapshotOf(home: GraphHome): Low<Snapshot> {
  const nothing: Snapshot = {
    format: JOURNAL_FORMAT,
    graph: home.graph,
    through: 0,
    lines: async function* () {},
  }
  return new Low(new SnapshotFile(home.files, snapshotPath(home)), nothing)
}

/** Gives every record of the graph, in order, to `visit`, with its format, and checks all that can be checked on the way. */
export async function readGraph(
  home: GraphHome,
  visit: (lines: readonly LogLine[], format: number) => void | Promise<void>,
): Promise<GraphScan> {
  const path = journalPath(home)
  refuseMissing(home.files, path)
  const low = snapshotOf(home)
  await low.read()
  const { format: snapshotFormat, graph, through, lines } = low.data
  if (graph !== home.graph)
    throw new Broken(snapshotPath(home), 0, `it is the snapshot of ${graph}, not of ${home.graph}`)
  for await (const some of lines()) await visit(some, snapshotFormat)
  const file = await home.files.openToRead(path)
  try {
    let uncompacted: number | undefined
    let format = JOURNAL_FORMAT
    const { header, size, lastSeq, ending } = await scanLog(
      file,
      (header) => {
        const checked = checkJournalHeader(home, header, through)
        format = checked.format
        return checked.after
      },
      (some) => {
        const further = some.filter(({ seq }) => seq > through)
        uncompacted ??= further[0]?.offset
        return visit(further, format)
      },
    )
    if (ending.kind === 'broken') throw new Broken(path, size, ending.why)
    checkJournalHeader(home, header, through)
    const snapshotSize = home.files.identify(snapshotPath(home))?.size ?? 0
    return {
      format: Math.min(snapshotFormat, format),
      snapshot: { through, size: snapshotSize },
      journal: { size, lastSeq, ending, uncompacted: uncompacted ?? size },
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
        : `it ends at record ${through}, but the journal goes on from ${after}`,
    )
  return checked
}

/** Writes the journal of a new graph, its first records included, and makes sure that it will be found again. */
export async function createJournal(
  home: GraphHome,
  groups: readonly Group<StoredRecord>[],
): Promise<Log<StoredRecord>> {
  const { files, fence, folder } = home
  const path = journalPath(home)
  // Whatever an earlier attempt left was never acknowledged.
  await files.remove(folder)
  await files.makeFolder(folder)
  const header = encodeHeader(`graph ${home.graph}`, 0)
  const [first = Buffer.alloc(0), ...rest] = await inSlices(encodeGroups(groups, 0, header.length))
  const chunks = [Buffer.concat([header, first]), ...rest]
  const file = await files.openToAppend(path, true)
  try {
    for (const chunk of chunks) await file.append(chunk)
    await flushed(file, path)
    await flushedFolder(files, folder)
    await flushedFolder(files, dirname(folder))
  } catch (error) {
    await file.close()
    await files.remove(folder).catch(() => undefined)
    throw error
  }
  const lastSeq = groups.reduce((sum, { records }) => sum + records.length, 0)
  return new Log(files, fence, path, file, lengthOf(chunks), lastSeq)
}

/** Opens the journal of a graph as it was scanned. */
export async function openJournal(home: GraphHome, { journal }: GraphScan): Promise<Log<StoredRecord>> {
  const path = journalPath(home)
  const file = await home.files.openToAppend(path, false)
  return new Log(home.files, home.fence, path, file, journal.size, journal.lastSeq)
}

/** Cuts an incomplete last record off, for good before anything else is written. */
export async function cutJournal(home: GraphHome, size: number): Promise<void> {
  const path = journalPath(home)
  const file = await home.files.openToAppend(path, false)
  try {
    await file.truncate(size)
    await flushed(file, path)
  } finally {
    await file.close()
  }
}
