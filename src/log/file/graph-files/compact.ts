import type { StoredRecord } from '../../stored.js'
import { Fatal } from '../disk/errors.js'
import { headOf, isIntact } from '../log/frame.js'
import { linesOf } from '../log/lines.js'
import type { Log } from '../log/log.js'
import type { LogLine } from '../log/scan.js'
import { type GraphHome, journalPath, snapshotOf } from './journal.js'
import { JournalSwap } from './swap-journal.js'

/** A journal is compacted when it has outgrown the snapshot, so that all compactions together cost about as much as writing. */
export function isDue(journalSize: number, snapshotSize: number, least: number): boolean {
  return journalSize > Math.max(least, snapshotSize)
}

/**
 * Compacts the journal into a new snapshot while writes go on, and gives the journal that goes on from there.
 * At every step the files on disk add up to the same graph: first the snapshot comes to hold what the journal also
 * holds, then the journal is replaced by one without it. `exclusive` keeps the writers out for the last few bytes.
 */
export async function compact(
  home: GraphHome,
  journal: Log<StoredRecord>,
  exclusive: (swap: () => Promise<Log<StoredRecord>>) => Promise<Log<StoredRecord>>,
): Promise<Log<StoredRecord>> {
  const { size, lastSeq } = journal
  const low = snapshotOf(home)
  await low.read()
  const before = low.data
  low.data = {
    format: before.format,
    graph: home.graph,
    through: lastSeq,
    async *lines() {
      yield* before.lines()
      yield* journalLines(home, size, before.through)
    },
  }
  await low.write()
  const from = await home.files.openToRead(journalPath(home))
  const swapping = await JournalSwap.begin(home, from, lastSeq, size, size)
  try {
    await swapping.copyTo(journal.size)
    return await exclusive(async () => {
      await swapping.copyTo(journal.size)
      return swapping.finish(journal.lastSeq)
    })
  } catch (error) {
    await swapping.abandon()
    throw error
  }
}

/** The lines of the journal up to `size` that come after record `through`. */
async function* journalLines(
  home: GraphHome,
  size: number,
  through: number,
): AsyncGenerator<readonly LogLine[]> {
  const path = journalPath(home)
  const file = await home.files.openToRead(path)
  try {
    for await (const lines of linesOf(file, 0, size))
      yield lines.flatMap(({ offset, bytes, ended }) => {
        if (!ended || !isIntact(bytes))
          throw new Fatal(`${path} is damaged at byte ${offset}, where it was not before.`)
        const head = headOf(bytes)
        return head === undefined || head.seq <= through ? [] : [{ ...head, offset, bytes }]
      })
  } finally {
    await file.close()
  }
}
