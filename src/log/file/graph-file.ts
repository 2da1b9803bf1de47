import { dirname, join } from 'node:path'
import { Failure, storeClosed } from '../../domain/failure.js'
import type { GraphId, MemoryId } from '../../domain/model.js'
import type { SavedIndexes } from '../../graph/indexes.js'
import { type Entry, lastPositionOf } from '../entries.js'
import { Behind, Diverged, type Erasure, type Head, isSame, isUnerased, NewerVersion } from '../graph-log.js'
import { compact, isDue, JournalSwap } from './compact.js'
import { flushFolder } from './disk/durable.js'
import { isFatal, toFailure } from './disk/errors.js'
import type { Files } from './disk/files.js'
import type { StoreHealth } from './disk/health.js'
import type { Fence } from './disk/lock.js'
import { DELETED, folderOf, nextFolder, originOf } from './folder-names.js'
import { encodeHeader, paddingFor } from './frame.js'
import { readIndexes, writeIndexes } from './index-file.js'
import {
  createJournal,
  type GraphHome,
  type Journal,
  journalPath,
  nameOf,
  siblingHome,
  snapshotPath,
  vectorsPath,
} from './journal.js'
import { LogFile } from './log-file.js'
import type { Manifest } from './manifest.js'
import { Reading } from './reading.js'
import type { FoundGraph } from './recover.js'
import { copyGraph, toGroup, writeAfterErasure } from './rewrite.js'
import { copyVectors, VectorFile, type VectorLocation } from './vectors.js'

/** Shared by the graphs of a data folder. */
export interface GraphPorts {
  readonly files: Files
  readonly fence: Fence
  /** The folder with the folders of the graphs. */
  readonly graphsFolder: string
  /** Undefined when nothing may be written. */
  readonly manifest: Manifest | undefined
  readonly health: StoreHealth
  /** The number of the owner of the data folder, part of the names of the folders it makes. */
  readonly owner: number
  readonly randomBytes: (size: number) => Uint8Array
  /** Returns an epoch that no graph had before. */
  readonly newEpoch: () => string
  /** The minimum length of a journal to be compacted. */
  readonly compactBytes: number
  readonly onCompacted: (details: object) => void
  /** Called after each write to a journal, which stays open. */
  readonly onWrite: (graph: GraphFile) => void
  /** Called when a folder could not be removed, which is to be tried again. */
  readonly onNotRemoved: () => void
}

/** The state of a journal while its file is not open. */
interface ClosedJournal {
  readonly size: number
  readonly lastSeq: number
  /** The last position in the snapshot. */
  readonly through: number
  /** The offset of the first frame that is not in the snapshot. */
  readonly uncompacted: number
}

/** One graph on disk: its files, and the order in which they change. */
export class GraphFile {
  readonly #graph: GraphId
  readonly #ports: GraphPorts
  #home: GraphHome | undefined
  #head: Head | undefined
  #journal: Journal | undefined
  #closed: ClosedJournal | undefined
  /** Incremented when earlier reads may hold erased entries, or entries of a deleted graph of the same name. */
  #generation = 0
  /** Serializes changes. */
  #changes: Promise<unknown> = Promise.resolve()
  /** Serializes writes to the journal, within changes and by the background compaction. */
  #writes: Promise<unknown> = Promise.resolve()
  #compacting: Promise<void> | undefined
  /** After a failed compaction, the size of the journal at which to try again. */
  #compactAt = 0
  #writingIndexes: Promise<void> | undefined
  readonly #readings = new Set<Reading>()
  readonly #replacing = new Set<Promise<void>>()
  readonly #incoming = new Set<IncomingEntries>()
  readonly #vectors = new Set<VectorFile>()
  /** Folders that could not be removed: they hold an earlier state of the graph, or an unfinished one. */
  readonly #leftovers = new Set<GraphHome>()

  constructor(graph: GraphId, ports: GraphPorts, found?: FoundGraph) {
    this.#graph = graph
    this.#ports = ports
    if (found === undefined) return
    const { folder, epoch, scan } = found
    const { snapshot, journal, erasedAt, bytes } = scan
    this.#home = this.#homeIn(folder)
    const position = Math.max(journal.lastSeq, snapshot.through)
    this.#closed = { ...journal, through: snapshot.through }
    this.#head = headOf(graph, epoch, position, erasedAt, bytes)
  }

  get graph(): GraphId {
    return this.#graph
  }

  get head(): Head | undefined {
    return this.#head
  }

  /** How many folders are still to be removed. */
  get leftovers(): number {
    return this.#leftovers.size
  }

  async *read(after: Head | undefined, known?: Head, from?: number): AsyncGenerator<readonly Entry[]> {
    const { health } = this.#ports
    const opened = await this.#openReading(after, known)
    if (opened === undefined) return
    const { reading, generation } = opened
    this.#readings.add(reading)
    try {
      for await (const page of reading.entries(after?.position, from)) {
        health.refuseIfClosed()
        if (generation !== this.#generation) throw new Diverged()
        yield page
      }
    } catch (error) {
      if (health.closed) throw storeClosed()
      if (error instanceof Diverged || error instanceof NewerVersion) throw error
      throw toFailure(error)
    } finally {
      this.#readings.delete(reading)
      await reading.close()
    }
  }

  append(after: Head | undefined, entries: readonly Entry[]): Promise<Head> {
    return this.#change(after, async (before) => {
      if (entries.length === 0) throw new Error('There is nothing to append.')
      checkPositions(entries, before?.position ?? 0)
      await this.#takeOver()
      const head = await this.#exclusive(() =>
        before === undefined || this.#home === undefined
          ? this.#create(entries)
          : this.#append(this.#home, before, entries),
      )
      this.#head = head
      this.#ports.onWrite(this)
      this.#compactIfDue()
      return head
    })
  }

  erase(after: Head, erasure: Erasure): Promise<Head> {
    return this.#change(after, async (before) => {
      const from = this.#home
      if (from === undefined || before === undefined) throw new Behind()
      const position = checkPositions([erasure.erased], before.position)
      await this.#backgroundDone()
      const to = this.#nextHome()
      const { journal, bytes } = await this.#fillFolder(to, () =>
        this.#writeAfterErasure(from, to, before, erasure),
      )
      this.#generation++
      const head = headOf(this.#graph, before.epoch, position, position, bytes)
      await this.#switchTo(to, journal, head)
      await this.#removeFolder(from)
      return head
    })
  }

  /** Writes the entries while other changes go on. Only the last step, which switches folders, is serialized with them. */
  async replace(after: Head | undefined, entries: AsyncIterable<readonly Entry[]>): Promise<Head> {
    this.#ports.health.refuseUnlessWritable()
    if (!isSame(after, this.#head)) throw new Behind()
    const replacing = this.#replace(after, entries)
    const settled = replacing.then(
      () => undefined,
      () => undefined,
    )
    this.#replacing.add(settled)
    void settled.then(() => this.#replacing.delete(settled))
    return replacing
  }

  async #replace(after: Head | undefined, entries: AsyncIterable<readonly Entry[]>): Promise<Head> {
    const to = this.#nextHome()
    const epoch = this.#ports.newEpoch()
    const incoming = new IncomingEntries(entries)
    this.#incoming.add(incoming)
    let erasedAt = 0
    let count = 0
    try {
      const journal = await this.#writeJournal(to, async (write) => {
        let position = 0
        for await (const page of incoming) {
          position = checkPositions(page, position)
          erasedAt = lastErasureIn(page) ?? erasedAt
          count += page.length
          await write(page.map(toGroup))
        }
        if (position === 0) throw new Error('A graph holds at least one entry.')
      })
      return await this.#change(
        after,
        async () => {
          await this.#backgroundDone()
          const from = this.#home
          await this.#recordCreated(to, epoch)
          this.#generation++
          const head = headOf(this.#graph, epoch, journal.lastSeq, erasedAt, frameBytesOf(journal, to, count))
          // A new graph has no vectors yet.
          await this.#switchTo(to, journal, head, from === undefined)
          if (from !== undefined) await this.#removeFolder(from)
          this.#compactIfDue()
          return head
        },
        async (error) => {
          // Until the manifest names the new folder, it can be removed.
          if (this.#home === to) return
          await journal.close()
          if (!isFatal(error)) await this.#abandon(to)
        },
      )
    } catch (error) {
      if (incoming.failure !== undefined) throw incoming.failure.error
      if (error instanceof Behind || error instanceof Failure) throw error
      this.#ports.health.noteFailure(error)
      throw toFailure(error)
    } finally {
      this.#incoming.delete(incoming)
    }
  }

  remove(after: Head): Promise<void> {
    return this.#change(after, async () => {
      const from = this.#home
      if (from === undefined) throw new Behind()
      await this.#backgroundDone()
      await this.#ports.manifest?.recordDeleted(this.#graph, nameOf(from))
      this.#generation++
      await this.#switchTo(undefined, undefined, undefined)
      await this.#removeFolder(from)
    })
  }

  vectors(identity: string): VectorFile {
    const file = new VectorFile(this.#ports.files, this.#vectorLocation(), identity, (closed) => {
      this.#vectors.delete(closed)
    })
    this.#vectors.add(file)
    return file
  }

  async readIndexes(): Promise<SavedIndexes | undefined> {
    return this.#home && readIndexes(this.#home)
  }

  /** Writes nothing into the folder of a former owner. A change that replaces the folder waits for this. */
  async writeIndexes(indexes: SavedIndexes): Promise<void> {
    await this.#writingIndexes
    const home = this.#home
    if (home === undefined || this.#isOfFormerOwner(home) || !this.#ports.health.current.writable) return
    this.#writingIndexes = writeIndexes(home, indexes)
      .catch((error: unknown) => {
        if (isFatal(error)) this.#ports.health.noteFailure(error)
      })
      .finally(() => {
        this.#writingIndexes = undefined
      })
    await this.#writingIndexes
  }

  /** Tries again to remove leftover folders. Rejects if one is left. */
  async removeLeftovers(): Promise<void> {
    const failed: unknown[] = []
    for (const home of this.#leftovers)
      await this.#removeLeftover(home).catch((error: unknown) => void failed.push(error))
    if (failed.length > 0) throw failed[0]
  }

  /** Closes the journal; the next write opens it again. */
  closeJournal(): Promise<void> {
    return this.#exclusive(async () => {
      const journal = this.#journal
      if (journal === undefined || journal.isDirty || this.#compacting !== undefined) return
      this.#journal = undefined
      this.#closed = toClosedJournal(journal)
      await journal.close()
    })
  }

  async close(): Promise<void> {
    for (const incoming of this.#incoming) incoming.stop()
    await Promise.all(this.#replacing)
    await this.#changes
    await this.#backgroundDone()
    for (const reading of this.#readings) await reading.close()
    for (const file of this.#vectors) await file.close()
    const journal = this.#journal
    this.#journal = undefined
    await this.#exclusive(async () => journal?.close())
  }

  /** Opens the files for a reading; undefined when there is nothing to read. */
  async #openReading(
    after: Head | undefined,
    known: Head | undefined,
  ): Promise<{ readonly reading: Reading; readonly generation: number } | undefined> {
    for (;;) {
      this.#ports.health.refuseIfClosed()
      const [head, home, generation] = [this.#head, this.#home, this.#generation]
      if (after !== undefined && !isContinuedBy(after, head)) throw new Diverged()
      if (known !== undefined && !isUnerased(known, head)) throw new Diverged()
      if (head === undefined || home === undefined || head.position === after?.position) return undefined
      let reading: Reading
      try {
        reading = await Reading.open(home, head.position)
      } catch (error) {
        // The folder was replaced after `#home` was read.
        if (home !== this.#home) continue
        throw toFailure(error)
      }
      if (generation === this.#generation) return { reading, generation }
      await reading.close()
    }
  }

  async #writeAfterErasure(
    from: GraphHome,
    to: GraphHome,
    before: Head,
    erasure: Erasure,
  ): ReturnType<typeof writeAfterErasure> {
    const reading = await Reading.open(from, before.position)
    let journal: Journal | undefined
    try {
      const written = await writeAfterErasure(reading.lines(), to, erasure)
      journal = written.journal
      await this.#moveVectors(to, async () => {
        await this.#copyVectors(from, to, erasure.memoryIds)
        await this.#recordCreated(to, before.epoch)
      })
      return written
    } catch (error) {
      await journal?.close()
      throw error
    } finally {
      await reading.close()
    }
  }

  /** Copies a graph from the folder of a former owner, which may still be alive, into a folder of this owner. */
  async #takeOver(): Promise<void> {
    const [from, head] = [this.#home, this.#head]
    if (from === undefined || head === undefined || !this.#isOfFormerOwner(from)) return
    await this.#backgroundDone()
    const to = this.#nextHome()
    const journal = await this.#fillFolder(to, async () => {
      const journal = await copyGraph(from, to, head.position)
      try {
        await this.#moveVectors(to, async () => {
          await this.#copyVectors(from, to, new Set())
          await this.#recordCreated(to, head.epoch)
        })
        return journal
      } catch (error) {
        await journal.close()
        throw error
      }
    })
    await this.#switchTo(to, journal, head)
    // The old folder holds no erased text, so it does not matter if only the next start removes it.
    await this.#removeFolder(from).catch(() => undefined)
  }

  #isOfFormerOwner(home: GraphHome): boolean {
    return originOf(this.#graph, nameOf(home))?.owner !== this.#ports.owner
  }

  /** Creates the graph with its first entries. */
  async #create(entries: readonly Entry[]): Promise<Head> {
    const first = this.#homeIn(folderOf(this.#graph, this.#ports.owner))
    // An existing folder of that name is never touched.
    const isFree = this.#ports.files.identify(first.folder) === undefined
    const to = isFree ? first : this.#nextHome()
    const epoch = this.#ports.newEpoch()
    const journal = await this.#writeJournal(to, (write) => write(entries.map(toGroup)))
    try {
      await this.#recordCreated(to, epoch)
    } catch (error) {
      await journal.close()
      if (!isFatal(error)) await this.#abandon(to)
      throw error
    }
    const bytes = frameBytesOf(journal, to, entries.length)
    const head = headOf(this.#graph, epoch, journal.lastSeq, lastErasureIn(entries) ?? 0, bytes)
    await this.#switchTo(to, journal, head)
    return head
  }

  async #append(home: GraphHome, before: Head, entries: readonly Entry[]): Promise<Head> {
    const journal = await this.#openJournal(home)
    const { size } = journal
    await journal.append(entries.map(toGroup))
    const { epoch, erasedAt, bytes } = before
    const erased = lastErasureIn(entries) ?? erasedAt
    return headOf(this.#graph, epoch, journal.lastSeq, erased, bytes + journal.size - size - entries.length)
  }

  #writeJournal(to: GraphHome, fill: Parameters<typeof createJournal>[2]): Promise<Journal> {
    return this.#fillFolder(to, () => createJournal(to, 0, fill))
  }

  /** Enters a folder into the manifest as unfinished and fills it; removes it if that fails. */
  async #fillFolder<T>(to: GraphHome, fill: () => Promise<T>): Promise<T> {
    try {
      await this.#ports.manifest?.recordCreating(this.#graph, nameOf(to))
      return await fill()
    } catch (error) {
      if (!isFatal(error)) await this.#abandon(to)
      throw error
    }
  }

  async #recordCreated(to: GraphHome, epoch: string): Promise<void> {
    await this.#ports.manifest?.recordCreated(this.#graph, { folder: nameOf(to), epoch })
  }

  /** Removes a folder that did not become a graph; tries again later if that fails. */
  async #abandon(home: GraphHome): Promise<void> {
    this.#leftovers.add(home)
    await this.#removeLeftover(home).catch(() => this.#ports.onNotRemoved())
  }

  /** Runs `move` while no vectors are added. If it succeeds, the vectors are read from the new folder. */
  async #moveVectors(to: GraphHome, move: () => Promise<void>): Promise<void> {
    const unblocks = await Promise.all([...this.#vectors].map((file) => file.blockWrites()))
    let location = this.#vectorLocation()
    try {
      await move()
      location = { path: vectorsPath(to), isWritable: true }
    } finally {
      for (const unblock of unblocks) await unblock(location).catch(() => undefined)
    }
  }

  /** Ignores errors that are not fatal: vectors that are missing are computed again. */
  async #copyVectors(from: GraphHome, to: GraphHome, without: ReadonlySet<MemoryId>): Promise<void> {
    try {
      await copyVectors(this.#ports.files, vectorsPath(from), vectorsPath(to), without)
    } catch (error) {
      if (isFatal(error)) throw error
    }
  }

  /** Makes `home` the folder of the graph; undefined for a removed graph. */
  async #switchTo(
    home: GraphHome | undefined,
    journal: Journal | undefined,
    head: Head | undefined,
    hasSameVectors = home !== undefined,
  ): Promise<void> {
    const previous = this.#journal
    this.#home = home
    this.#journal = journal
    this.#closed = undefined
    this.#head = head
    this.#compactAt = 0
    // A journal that cannot be closed can still be removed.
    await previous?.close().catch((error: unknown) => this.#ports.health.noteFailure(error))
    const location = hasSameVectors ? this.#vectorLocation() : undefined
    for (const file of this.#vectors) await (await file.blockWrites())(location).catch(() => undefined)
  }

  /** Removes a former folder of the graph, and earlier leftovers. */
  async #removeFolder(home: GraphHome): Promise<void> {
    const { health, onNotRemoved } = this.#ports
    this.#leftovers.add(home)
    try {
      await this.removeLeftovers()
    } catch (error) {
      health.noteFailure(error)
      onNotRemoved()
      throw new Failure(
        'storage_unavailable',
        'What was erased is in no answer any more, but a file that may hold it could not be removed. The service tries again every 30 seconds, and at the next start.',
        { cause: error },
      )
    }
  }

  async #removeLeftover(home: GraphHome): Promise<void> {
    await markAndRemove(this.#ports.files, home.folder)
    await this.#ports.manifest?.forget(this.#graph, nameOf(home))
    this.#leftovers.delete(home)
  }

  async #openJournal(home: GraphHome): Promise<Journal> {
    if (this.#journal !== undefined) return this.#journal
    const closed = this.#closed
    if (closed === undefined) throw new Error('A journal is opened only after it was read.')
    const { size, lastSeq, through, uncompacted } = closed
    const { files, fence } = home
    // A truncated journal may end at an offset where a torn write could go unnoticed (see `paddingFor`), so it is rewritten.
    if (lastSeq >= through && paddingFor(size) === 0) {
      const file = await files.openToAppend(journalPath(home), false)
      this.#journal = new LogFile(files, fence, journalPath(home), file, size, lastSeq)
      return this.#journal
    }
    const from = await files.openToRead(journalPath(home))
    const swap = await JournalSwap.begin(home, from, through, uncompacted, size)
    try {
      await swap.copyTo(size)
      this.#journal = await swap.finish(Math.max(lastSeq, through))
      return this.#journal
    } catch (error) {
      await swap.abandon()
      throw error
    }
  }

  #compactIfDue(): void {
    const [home, journal] = [this.#home, this.#journal]
    if (home === undefined || journal === undefined || this.#compacting !== undefined) return
    const { size } = journal
    if (size < this.#compactAt || !isDue(size, this.#sizeAt(snapshotPath(home)), this.#ports.compactBytes))
      return
    const runExclusively = (swap: () => Promise<Journal>) =>
      this.#exclusive(async () => {
        this.#journal = await swap()
        await journal.close()
        return this.#journal
      })
    this.#compacting = compact(home, journal, runExclusively)
      .then(
        () => this.#ports.onCompacted({ graph: this.#graph, bytes: this.#sizeAt(snapshotPath(home)) }),
        (error: unknown) => {
          this.#compactAt = size * 2
          this.#ports.health.noteFailure(error)
        },
      )
      .finally(() => {
        this.#compacting = undefined
      })
  }

  /** Resolves when no background work replaces a file. */
  async #backgroundDone(): Promise<void> {
    await this.#compacting
    await this.#writingIndexes
  }

  /** Runs a change if the head is still `after`. Calls `onFailure` if the change is refused or fails. */
  #change<T>(
    after: Head | undefined,
    work: (before: Head | undefined) => Promise<T>,
    onFailure: (error: unknown) => Promise<void> = async () => undefined,
  ): Promise<T> {
    const { health } = this.#ports
    const done = this.#changes.then(async () => {
      try {
        health.refuseUnlessWritable()
        if (!isSame(after, this.#head)) throw new Behind()
        return await work(this.#head)
      } catch (error) {
        await onFailure(error)
        if (error instanceof Behind || error instanceof Failure) throw error
        health.noteFailure(error)
        throw toFailure(error)
      }
    })
    this.#changes = done.catch(() => undefined)
    return done
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writes.then(work)
    this.#writes = done.catch(() => undefined)
    return done
  }

  #homeIn(name: string): GraphHome {
    const { files, fence, graphsFolder } = this.#ports
    return { files, fence, graph: this.#graph, folder: join(graphsFolder, name) }
  }

  #nextHome(): GraphHome {
    const { owner, randomBytes } = this.#ports
    const current = this.#home && nameOf(this.#home)
    const name = nextFolder(this.#graph, current, owner, randomBytes(4))
    return this.#home === undefined ? this.#homeIn(name) : siblingHome(this.#home, name)
  }

  #vectorLocation(): VectorLocation | undefined {
    return this.#home && { path: vectorsPath(this.#home), isWritable: this.#ports.health.current.writable }
  }

  #sizeAt(path: string): number {
    return this.#ports.files.identify(path)?.size ?? 0
  }
}

/** Removes a folder. Marks it first, so that a repair does not restore a half-removed graph. */
export async function markAndRemove(files: Files, folder: string): Promise<void> {
  const mark = join(folder, DELETED)
  try {
    if (files.identify(folder) !== undefined && files.identify(mark) === undefined) {
      await (await files.openToAppend(mark, true)).close()
      await files.syncFolder(folder)
    }
  } catch (error) {
    if (isFatal(error)) throw error
  }
  await files.remove(folder)
  await flushFolder(files, dirname(folder))
}

function headOf(graphId: GraphId, epoch: string, position: number, erasedAt: number, bytes: number): Head {
  return { graphId, epoch, position, appendId: String(position), erasedAt, bytes }
}

/** The length of the frames of a new journal, without its header and line feeds. */
function frameBytesOf(journal: Journal, { graph }: GraphHome, count: number): number {
  return journal.size - encodeHeader(`graph ${graph}`, 0).length - count
}

function isContinuedBy(after: Head, head: Head | undefined): boolean {
  return head !== undefined && head.epoch === after.epoch && head.position >= after.position
}

/** Throws unless the entries follow position `last` without a gap. Returns their last position. */
function checkPositions(entries: readonly Entry[], last: number): number {
  for (const entry of entries) {
    if (entry.position !== last + 1 || entry.count < 1)
      throw new Error(`An entry is at position ${entry.position}, not ${last + 1}.`)
    last = lastPositionOf(entry)
  }
  return last
}

/** The position of the last `erased` record; undefined if there is none. */
function lastErasureIn(entries: readonly Entry[]): number | undefined {
  return entries.findLast(({ records }) => records[0]?.op === 'erased')?.position
}

/** Entries from a caller. Notes an error of the caller's iterator, so that it is not reported as an error of the disk. */
class IncomingEntries implements AsyncIterable<readonly Entry[]> {
  failure: { readonly error: unknown } | undefined
  /** Ends the wait for the next entries of a slow sender. */
  stop: () => void = () => undefined
  readonly #entries: AsyncIterable<readonly Entry[]>

  constructor(entries: AsyncIterable<readonly Entry[]>) {
    this.#entries = entries
  }

  [Symbol.asyncIterator](): AsyncIterator<readonly Entry[]> {
    const iterator = this.#entries[Symbol.asyncIterator]()
    return {
      next: async () => {
        try {
          // Not `Promise.race` with one long-lived promise, which would keep every page in memory.
          return await new Promise((resolve, reject) => {
            this.stop = () => reject(storeClosed())
            iterator.next().then(resolve, reject)
          })
        } catch (error) {
          this.failure = { error }
          void iterator.return?.()?.catch(() => undefined)
          throw error
        }
      },
      return: async () => {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }
  }
}

function toClosedJournal({ size, lastSeq }: Journal): ClosedJournal {
  return { size, lastSeq, through: 0, uncompacted: 0 }
}
