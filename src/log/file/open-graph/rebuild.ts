import { dirname } from 'node:path'
import type { GraphSoFar } from '../../../domain/events/recording.js'
import type { Content } from '../../../domain/events/same-event.js'
import type { GraphRecord } from '../../../graph/records.js'
import { createYielding, inSlices } from '../../../loop/yielding.js'
import { type StoredRecord, toStored } from '../../stored.js'
import { flushed, flushedFolder } from '../disk/durable.js'
import type { OpenFile } from '../disk/files.js'
import { abandonFolder } from '../graph-files/abandon.js'
import { compact } from '../graph-files/compact.js'
import { type GraphHome, journalPath } from '../graph-files/journal.js'
import { JournalWriter } from '../graph-files/journal-writer.js'
import type { GraphPorts } from '../graph-files/ports.js'
import type { Group } from '../log/frame.js'
import { encodeHeader } from '../log/header.js'
import { encodeGroups, Log, lengthOf } from '../log/log.js'
import { keepIndexes } from './keep-indexes.js'
import { inMemory, type OpenGraph } from './open-graph.js'

const CHUNK = 256 * 1024

/** Takes the records of a graph that is rewritten. */
export interface Rebuild extends Pick<OpenGraph, 'graph' | 'idempotency'> {
  /** Applies a record; a promise is for the caller to await, so that other requests get their turn. */
  apply(record: GraphRecord, content?: Content): Promise<void> | undefined
  /** Writes records down that were applied. */
  write(group: Group<GraphRecord>): Promise<void>
}

/**
 * Writes a whole graph into a folder of its own, in slices, and builds it in memory on the way. When it resolves,
 * everything is on disk, in a snapshot and an empty journal; that the graph is there now is for the caller to announce.
 * When it rejects, the folder is gone.
 */
export async function rebuild(
  home: GraphHome,
  ports: GraphPorts,
  fill: (into: Rebuild) => Promise<void>,
): Promise<OpenGraph> {
  const { files, folder, fence } = home
  await files.remove(folder)
  try {
    await files.makeFolder(folder)
    const { graph, ...others } = inMemory(home, ports)
    const { idempotency } = others
    const bulk = await BulkJournal.begin(home)
    try {
      const yielding = createYielding()
      const apply = (record: GraphRecord, content?: Content) => {
        graph.apply(record, content)
        return yielding()
      }
      await fill({ graph, idempotency, apply, write: (group) => bulk.write(group) })
      await bulk.end()
      const log = new Log<StoredRecord>(files, fence, bulk.path, bulk.file, bulk.size, bulk.lastSeq)
      const journal = await compact(home, log, (swap) => swap())
      try {
        await flushedFolder(files, dirname(folder))
        await graph.indexes.caughtUp()
        await graph.indexes.knowsContents()
        await keepIndexes(home, graph, ports)
        return { home, graph, ...others, writer: new JournalWriter(home, ports, { journal }) }
      } catch (error) {
        await journal.close()
        throw error
      }
    } finally {
      await bulk.file.close()
    }
  } catch (error) {
    await abandonFolder(home, ports)
    throw error
  }
}

/** A journal that is written without a flush for each group: it is announced only when it is whole. */
class BulkJournal {
  readonly path: string
  readonly file: OpenFile
  #pending: Buffer[] = []
  #pendingBytes = 0
  size: number
  lastSeq = 0

  private constructor(path: string, file: OpenFile, size: number) {
    this.path = path
    this.file = file
    this.size = size
  }

  static async begin(home: GraphHome): Promise<BulkJournal> {
    const path = journalPath(home)
    const header = encodeHeader(`graph ${home.graph}`, 0)
    const file = await home.files.openToAppend(path, true)
    try {
      await file.append(header)
      return new BulkJournal(path, file, header.length)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async write(group: Group<GraphRecord>): Promise<void> {
    const chunks = await inSlices(encodeGroups([toStored(group)], this.lastSeq, this.size))
    this.#pending.push(...chunks)
    this.#pendingBytes += lengthOf(chunks)
    this.size += lengthOf(chunks)
    this.lastSeq += group.records.length
    if (this.#pendingBytes >= CHUNK) await this.#flush()
  }

  async end(): Promise<void> {
    await this.#flush()
    await flushed(this.file, this.path)
  }

  async #flush(): Promise<void> {
    if (this.#pendingBytes < 2 * CHUNK) await this.file.append(Buffer.concat(this.#pending))
    else for (const chunk of this.#pending) await this.file.append(chunk)
    this.#pending = []
    this.#pendingBytes = 0
  }
}

/** Notes at the end what the records may not tell. */
export async function endRebuild(
  into: Rebuild,
  { lastId, lastPlace, lastRecordedAt }: Pick<GraphSoFar, 'lastId' | 'lastPlace' | 'lastRecordedAt'>,
): Promise<void> {
  const { spent } = into.idempotency
  const record: GraphRecord = {
    op: 'rewritten',
    seq: into.graph.lastSeq + 1,
    ...(lastId !== undefined && { lastId }),
    lastPlace,
    recordedAt: lastRecordedAt,
    ...(spent.length > 0 && { spent }),
  }
  into.apply(record)
  await into.write({ records: [record] })
}
