import { dirname } from 'node:path'
import type { StoredRecord } from '../../stored.js'
import { flushedFolder } from '../disk/durable.js'
import { Broken } from '../disk/errors.js'
import type { OpenFile } from '../disk/files.js'
import { headOf, isIntact } from '../log/frame.js'
import { linesOf } from '../log/lines.js'
import type { Log } from '../log/log.js'
import { type GraphHome, indexPath, journalPath, snapshotOf, snapshotPath } from './journal.js'
import { JournalSwap } from './swap-journal.js'

/**
 * Makes a new folder hold the graph of another one, up to its record `lastSeq`, and gives its journal. The snapshot and
 * the indexes get second names, since they are never written to, and the records after the snapshot are copied. Whatever a former owner still does to the
 * other folder, the files that are read here are opened once, and what is read follows on what the snapshot holds.
 */
export async function copyGraph(from: GraphHome, to: GraphHome, lastSeq: number): Promise<Log<StoredRecord>> {
  const { files, folder } = to
  const journal = await files.openToRead(journalPath(from))
  let swap: JournalSwap
  try {
    await files.makeFolder(folder)
    for (const pathOf of [snapshotPath, indexPath])
      if (files.identify(pathOf(from)) !== undefined) await files.link(pathOf(from), pathOf(to))
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

/** Where the records after `through` begin and where record `lastSeq` ends. */
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
  if (last !== lastSeq) throw new Broken(path, end, `record ${last + 1} cannot be read`)
  return { start: start ?? end, end }
}
