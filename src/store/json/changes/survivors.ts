import type { MemoryId } from '../../../domain/model.js'
import { PastRecords } from '../graph-files/history.js'
import type { EventRecord, GraphRecord } from '../log/records.js'
import type { Held } from '../open-graph/open-graph.js'
import type { Filling } from '../open-graph/rebuild.js'

/** Writes a graph anew without some of its memories: their records, and every link of others that names one. */
export async function fillWithout(into: Filling, from: Held, ids: ReadonlySet<MemoryId>): Promise<void> {
  const past = await PastRecords.open(from.home, from.graph.lastSeq)
  try {
    for await (const frames of past.frames())
      for (const { records: before, once } of frames) {
        const records: EventRecord[] = []
        for (const record of before) {
          if (record.op === 'rewritten' || ids.has(record.id)) continue
          const links = record.links.filter(({ target }) => !ids.has(target))
          const left = { ...record, seq: into.graph.lastSeq + 1, links }
          const turn = into.apply(left)
          records.push(left)
          if (turn !== undefined) await turn
        }
        if (records.length === 0) continue
        // An answer that names a memory goes with it; another one can no longer be worked out from what is left.
        const kept = once && records.length === before.length ? from.answers.inWords(once) : undefined
        if (kept?.receipts !== undefined) into.answers.keep(kept, kept.receipts)
        await into.write({ records, ...(kept !== undefined && { once: kept }) })
      }
  } finally {
    await past.close()
  }
  await closeFilling(into, from.graph)
}

/** Notes at the end what the records may not tell. */
export async function closeFilling(
  into: Filling,
  { lastId, lastRecordedAt }: { readonly lastId: MemoryId | undefined; readonly lastRecordedAt: string },
): Promise<void> {
  const record: GraphRecord = {
    op: 'rewritten',
    seq: into.graph.lastSeq + 1,
    ...(lastId !== undefined && { lastId }),
    recordedAt: lastRecordedAt,
  }
  into.apply(record)
  await into.write({ records: [record] })
}
