import { join } from 'node:path'
import type { GraphId } from '../../../domain/model.js'
import { isOfFormat1, type StoredRecord } from '../../stored.js'
import { flushed, flushedFolder } from '../disk/durable.js'
import { Broken } from '../disk/errors.js'
import type { Files } from '../disk/files.js'
import { type GraphHome, indexPath, journalPath, snapshotOf, snapshotPath } from '../graph-files/journal.js'
import { decodeLine, type Frame, headOf, isIntact } from '../log/frame.js'
import { encodeHeader, JOURNAL_FORMAT } from '../log/header.js'
import { linesOf } from '../log/lines.js'
import { type LogLine, scanLog } from '../log/scan.js'
import { isLater, type Made, whenMade } from './folder-names.js'

/** What mending a graph would keep and lose. */
interface Repair {
  readonly keeps: number
  /** Records that can be seen and would go; there may have been others that cannot be seen any more. */
  readonly loses: number
  /** Sets the damaged files aside and leaves the graph with what can be kept. */
  readonly carryOut: () => Promise<void>
}

/**
 * How a damaged graph can be mended: kept up to the damage, without what comes after it. Undefined when its beginning
 * is gone, since what follows builds on it.
 */
export async function planRepair(home: GraphHome): Promise<Repair | undefined> {
  const { files, graph } = home
  const snapshot = await readableSnapshot(home)
  const journal = await readableJournal(home)
  const start = snapshot.lines.at(-1)
  const through = start === undefined ? 0 : start.seq + start.count - 1
  const further = journal.lines.filter(({ seq }) => seq > through)
  const first = further[0]
  const joins = first === undefined || first.seq === through + 1
  const kept = joins ? [...snapshot.lines, ...further] : snapshot.lines
  const format = formatOf(kept)
  const keeps = kept.reduce((sum, { count }) => sum + count, 0)
  if (keeps === 0) return undefined
  const seen = snapshot.lost + journal.lost + (joins ? 0 : further.reduce((sum, { count }) => sum + count, 0))
  return {
    keeps,
    loses: seen,
    async carryOut() {
      for (const path of [journalPath(home), snapshotPath(home)]) await setAside(files, path)
      // They may be of records that are lost now, and are worked out anew.
      await files.remove(indexPath(home))
      const low = snapshotOf(home)
      const last = kept.at(-1)
      low.data = {
        format,
        graph,
        through: last === undefined ? 0 : last.seq + last.count - 1,
        async *lines() {
          yield kept
        },
      }
      await low.write()
      await writeJournal(home, low.data.through, format)
    },
  }
}

/** The format of lines, told from what they hold, since the headers may be what is damaged. */
function formatOf(lines: readonly LogLine[]): number {
  const isEarlier = lines.some(({ bytes }) =>
    (decodeLine(bytes) as Frame<StoredRecord>).records.some(isOfFormat1),
  )
  return isEarlier ? 1 : JOURNAL_FORMAT
}

/** Moves a file out of the way, keeping it. */
export async function setAside(files: Files, path: string): Promise<void> {
  if (files.identify(path) === undefined) return
  for (let number = 1; ; number++) {
    const aside = `${path}.damaged-${number}`
    if (files.identify(aside) !== undefined) continue
    await files.rename(path, aside)
    return
  }
}

async function writeJournal(home: GraphHome, after: number, format: number): Promise<void> {
  const path = journalPath(home)
  const file = await home.files.openToAppend(path, true)
  try {
    await file.append(encodeHeader(`graph ${home.graph}`, after, format))
    await flushed(file, path)
  } finally {
    await file.close()
  }
  await flushedFolder(home.files, home.folder)
}

interface Readable {
  readonly lines: readonly LogLine[]
  /** Records in lines that are intact but come after the damage. */
  readonly lost: number
}

async function readableSnapshot(home: GraphHome): Promise<Readable> {
  const lines: LogLine[] = []
  try {
    const low = snapshotOf(home)
    await low.read()
    for await (const some of low.data.lines()) lines.push(...some)
    return { lines, lost: 0 }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    // A line is given out only once the one after it was read, so the last good ones may be missing from `lines`.
    return lineByLine(home.files, snapshotPath(home))
  }
}

async function readableJournal(home: GraphHome): Promise<Readable> {
  const path = journalPath(home)
  if (home.files.identify(path) === undefined) return { lines: [], lost: 0 }
  const file = await home.files.openToRead(path)
  const lines: LogLine[] = []
  try {
    const { ending } = await scanLog(file, afterOf, (some) => void lines.push(...some))
    if (ending.kind === 'broken') return lineByLine(home.files, path)
    return { lines, lost: 0 }
  } finally {
    await file.close()
  }
}

function afterOf(header: unknown): number {
  return typeof header === 'object' && header !== null && 'after' in header ? Number(header.after) : 0
}

/** The intact lines at the start that follow each other, and how many records come in intact lines after those. */
async function lineByLine(files: Files, path: string): Promise<Readable> {
  const lines: LogLine[] = []
  let lost = 0
  let damaged = false
  const file = await files.openToRead(path)
  try {
    for await (const some of linesOf(file))
      for (const { offset, bytes } of some) {
        const line = bytes.at(-1) === 0x2c ? bytes.subarray(0, -1) : bytes
        const head = isIntact(line) ? headOf(line) : undefined
        const previous = lines.at(-1)
        const follows = previous === undefined || head?.seq === previous.seq + previous.count
        if (head !== undefined && !damaged && follows)
          lines.push({ ...head, offset, bytes: Buffer.from(line) })
        else if (head !== undefined) lost += head.count
        else if (offset > 0) damaged = true
      }
    return { lines, lost }
  } finally {
    await file.close()
  }
}

/** The graphs that the folders themselves tell of, for when the manifest cannot. */
interface FoundGraphs {
  /** Folder by graph: of several, the one that was written last. */
  readonly graphs: ReadonlyMap<GraphId, string>
  /** Folders that are no graph, not a whole one, or an earlier state of one. */
  readonly others: readonly string[]
}

export async function findGraphs(files: Files, folder: string): Promise<FoundGraphs> {
  const graphs = new Map<GraphId, { readonly name: string; readonly made: Made }>()
  const others: string[] = []
  for (const name of await files.list(join(folder, 'graphs'))) {
    const path = join(folder, 'graphs', name)
    const graph = await graphIn(files, path)
    const made = graph === undefined ? undefined : whenMade(graph, name)
    // A graph that was rewritten is whole when it has its snapshot.
    const whole = made?.turn === 0 || files.identify(join(path, 'snapshot.json')) !== undefined
    if (graph === undefined || made === undefined || !whole) others.push(name)
    else {
      const before = graphs.get(graph)
      const isLatest = before === undefined || isLater(made, before.made)
      if (before !== undefined) others.push(isLatest ? before.name : name)
      if (isLatest) graphs.set(graph, { name, made })
    }
  }
  return { graphs: new Map(Array.from(graphs, ([graph, { name }]) => [graph, name])), others }
}

/** The id of the graph that a folder holds, as its journal says; undefined when that cannot be read. */
async function graphIn(files: Files, folder: string): Promise<string | undefined> {
  const path = join(folder, 'journal.ndjson')
  if (files.identify(path) === undefined) return undefined
  const file = await files.openToRead(path)
  try {
    const { header } = await scanLog(file, afterOf, () => undefined)
    if (typeof header !== 'object' || header === null || !('log' in header)) return undefined
    return /^graph (.+)$/.exec(String(header.log))?.[1]
  } finally {
    await file.close()
  }
}
