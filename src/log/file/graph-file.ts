import { dirname, join } from 'node:path'
import { Failure, storeClosed } from '../../domain/failure.js'
import type { GraphId, MemoryId } from '../../domain/model.js'
import type { SavedIndexes } from '../../graph/indexes.js'
import { type Entry, lastPositionOf } from '../entries.js'
import { Behind, Diverged, type Erasure, type Head, isSame, isUnerased, NewerVersion } from '../graph-log.js'
import { flushFolder } from './disk/durable.js'
import { isFatal, toFailure } from './disk/errors.js'
import type { Files } from './disk/files.js'
import type { StoreHealth } from './disk/health.js'
import { Queue } from './disk/queue.js'
import { DELETED, folderOf, nextFolder, originOf } from './folder-names.js'
import { paddingFor } from './frame.js'
import { readIndexes, writeIndexes } from './index-file.js'
import {
  createJournal,
  type GraphHome,
  homeIn,
  type Journal,
  journalPath,
  nameOf,
  snapshotPath,
  vectorsPath,
} from './journal.js'
import { LogFile } from './log-file.js'
import type { Manifest } from './manifest.js'
import { Reading } from './reading.js'
import type { FoundGraph } from './recover.js'
import { compact, copyGraph, toGroup, writeAfterErasure } from './rewrite.js'
import { copyVectors, VectorFile, type VectorLocation } from './vectors.js'

/** Shared by the graphs of a data folder. */
export interface GraphPorts {
  readonly files: Files
  /** The data folder. */
  readonly folder: string
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

/** The files of a graph that exists. */
interface State {
  readonly home: GraphHome
  readonly journal: Journal
  readonly head: Head
}

/** One graph on disk: its files, and the order in which they change. */
export class GraphFile {
  readonly #graph: GraphId
  readonly #ports: GraphPorts
  #state: State | undefined
  /** Serializes changes. */
  readonly #changes = new Queue()
  /** Serializes writes to the journal, within changes and by the background compaction. */
  readonly #writes = new Queue()
  #compacting: Promise<void> | undefined
  /** After a failed compaction, the size of the journal at which to try again. */
  #compactAt = 0
  #writingIndexes: Promise<void> | undefined
  readonly #readings = new Set<Reading>()
  readonly #replacing = new Set<Promise<Head>>()
  readonly #vectors = new Set<VectorFile>()
  /** Folders that could not be removed: they hold an earlier state of the graph, or an unfinished one. */
  readonly #leftovers = new Set<GraphHome>()

  constructor(graph: GraphId, ports: GraphPorts, found?: FoundGraph) {
    this.#graph = graph
    this.#ports = ports
    if (found === undefined) return
    const { position, journal, erasedAt, bytes } = found.scan
    const home = this.#homeIn(found.folder)
    this.#state = {
      home,
      journal: new LogFile(ports.files, journalPath(home), journal.size, journal.lastSeq),
      head: headOf(graph, found.epoch, position, erasedAt, bytes),
    }
  }

  get head(): Head | undefined {
    return this.#state?.head
  }

  /** How many folders are still to be removed. */
  get leftovers(): number {
    return this.#leftovers.size
  }

  async *read(after: Head | undefined, known?: Head, from?: number): AsyncGenerator<readonly Entry[]> {
    const { health } = this.#ports
    const opened = await this.#openReading(after, known)
    if (opened === undefined) return
    const { reading, head } = opened
    this.#readings.add(reading)
    try {
      for await (const page of reading.entries(after?.position, from)) {
        health.refuseIfClosed()
        if (!isUnerased(head, this.head)) throw new Diverged()
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
    return this.#change(after, async () => {
      if (entries.length === 0) throw new Error('There is nothing to append.')
      checkPositions(entries, after?.position ?? 0)
      await this.#takeOver()
      const head = await this.#writes.run(() => this.#append(entries))
      this.#ports.onWrite(this)
      this.#compactIfDue()
      return head
    })
  }

  erase(after: Head, erasure: Erasure): Promise<Head> {
    return this.#change(after, async () => {
      const position = checkPositions([erasure.erased], after.position)
      const { home: from, head: before } = await this.#stateToRewrite()
      const to = this.#nextHome()
      const head = await this.#fillFolder(to, async () => {
        const { journal, bytes } = await writeAfterErasure(from, to, before.position, erasure)
        const head = headOf(this.#graph, before.epoch, position, position, bytes)
        await this.#switchTo({ home: to, journal, head }, erasure.memoryIds)
        return head
      })
      await this.#removeFolder(from)
      return head
    })
  }

  /** Writes the entries while other changes go on. Only the last step, which switches folders, is serialized with them. */
  async replace(after: Head | undefined, entries: AsyncIterable<readonly Entry[]>): Promise<Head> {
    this.#ports.health.refuseUnlessWritable()
    if (!isSame(after, this.head)) throw new Behind()
    const replacing = this.#replace(after, entries)
    this.#replacing.add(replacing)
    return replacing.finally(() => this.#replacing.delete(replacing))
  }

  async #replace(after: Head | undefined, entries: AsyncIterable<readonly Entry[]>): Promise<Head> {
    const to = this.#nextHome()
    let failed: { readonly error: unknown } | undefined
    const source = async function* () {
      try {
        yield* entries
      } catch (error) {
        // Not to be reported as an error of the disk.
        failed = { error }
        throw error
      }
    }
    try {
      return await this.#fillFolder(to, async () => {
        const next = await this.#writeNew(to, source())
        return await this.#change(after, async () => {
          await this.#backgroundDone()
          const from = this.#state
          await this.#switchTo(next)
          if (from !== undefined) await this.#removeFolder(from.home)
          this.#compactIfDue()
          return next.head
        })
      })
    } catch (error) {
      if (failed !== undefined) throw failed.error
      if (error instanceof Behind || error instanceof Failure) throw error
      this.#ports.health.noteFailure(error)
      throw toFailure(error)
    }
  }

  remove(after: Head): Promise<void> {
    return this.#change(after, async () => {
      const from = await this.#stateToRewrite()
      await this.#ports.manifest?.recordDeleted(this.#graph, nameOf(from.home))
      this.#state = undefined
      await this.#closeFormer(from.journal, undefined)
      await this.#removeFolder(from.home)
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
    return this.#state && readIndexes(this.#state.home)
  }

  /** Writes nothing into the folder of a former owner. A change that replaces the folder waits for this. */
  async writeIndexes(indexes: SavedIndexes): Promise<void> {
    await this.#writingIndexes
    const home = this.#state?.home
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
      try {
        await markAndRemove(this.#ports.files, home.folder)
        await this.#ports.manifest?.forget(this.#graph, nameOf(home))
        this.#leftovers.delete(home)
      } catch (error) {
        failed.push(error)
      }
    if (failed.length > 0) throw failed[0]
  }

  /** Closes the journal; the next write opens it again. */
  closeJournal(): Promise<void> {
    return this.#writes.run(async () => this.#state?.journal.close())
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#replacing)
    await this.#changes.idle()
    await this.#backgroundDone()
    for (const reading of this.#readings) await reading.close()
    for (const file of this.#vectors) await file.close()
    await this.closeJournal()
  }

  /** Opens the files for a reading; undefined when there is nothing to read. */
  async #openReading(
    after: Head | undefined,
    known: Head | undefined,
  ): Promise<{ readonly reading: Reading; readonly head: Head } | undefined> {
    for (;;) {
      this.#ports.health.refuseIfClosed()
      const state = this.#state
      if (after !== undefined && !isContinuedBy(after, state?.head)) throw new Diverged()
      if (known !== undefined && !isUnerased(known, state?.head)) throw new Diverged()
      if (state === undefined || state.head.position === after?.position) return undefined
      const { home, head } = state
      let reading: Reading
      try {
        reading = await Reading.open(home, head.position)
      } catch (error) {
        // The folder was replaced meanwhile.
        if (home !== this.#state?.home) continue
        throw toFailure(error)
      }
      if (home === this.#state?.home && isUnerased(head, this.head)) return { reading, head }
      await reading.close()
    }
  }

  /** The state of a graph to be rewritten, which does not change before that. */
  async #stateToRewrite(): Promise<State> {
    await this.#backgroundDone()
    if (this.#state === undefined) throw new Behind()
    return this.#state
  }

  /** Copies a graph to which this owner must not append into a folder to which it may. */
  async #takeOver(): Promise<void> {
    if (this.#state === undefined || !this.#mustMove(this.#state)) return
    const from = await this.#stateToRewrite()
    const to = this.#nextHome()
    await this.#fillFolder(to, async () => {
      const journal = await copyGraph(from.home, to, from.head.position)
      await this.#switchTo({ ...from, home: to, journal }, new Set())
    })
    // The old folder holds no erased text, so it does not matter if only the next start removes it.
    await this.#removeFolder(from.home).catch(() => undefined)
  }

  /**
   * A former owner may still be alive. And a truncated journal may end at an offset where a torn write could go unnoticed, or before
   * its snapshot does.
   */
  #mustMove({ home, journal, head }: State): boolean {
    return this.#isOfFormerOwner(home) || paddingFor(journal.size) !== 0 || journal.lastSeq < head.position
  }

  #isOfFormerOwner(home: GraphHome): boolean {
    return originOf(this.#graph, nameOf(home))?.owner !== this.#ports.owner
  }

  async #append(entries: readonly Entry[]): Promise<Head> {
    if (this.#state === undefined) return this.#create(entries)
    const { journal, head } = this.#state
    const { size } = journal
    await journal.append(entries.map(toGroup))
    const bytes = head.bytes + journal.size - size - entries.length
    const erasedAt = lastErasureIn(entries) ?? head.erasedAt
    const next = headOf(this.#graph, head.epoch, journal.lastSeq, erasedAt, bytes)
    this.#state = { ...this.#state, head: next }
    return next
  }

  /** Creates the graph with its first entries. */
  #create(entries: readonly Entry[]): Promise<Head> {
    const first = this.#homeIn(folderOf(this.#graph, this.#ports.owner))
    // An existing folder of that name is never touched.
    const isFree = this.#ports.files.identify(first.folder) === undefined
    const to = isFree ? first : this.#nextHome()
    return this.#fillFolder(to, async () => {
      const next = await this.#writeNew(to, [entries])
      await this.#switchTo(next)
      return next.head
    })
  }

  /** Writes a graph that begins with these entries. */
  async #writeNew(
    to: GraphHome,
    pages: Iterable<readonly Entry[]> | AsyncIterable<readonly Entry[]>,
  ): Promise<State> {
    let position = 0
    let erasedAt = 0
    const groups = async function* () {
      for await (const page of pages) {
        position = checkPositions(page, position)
        erasedAt = lastErasureIn(page) ?? erasedAt
        yield page.map(toGroup)
      }
      if (position === 0) throw new Error('A graph holds at least one entry.')
    }
    const { journal, bytes } = await createJournal(to, groups())
    return { home: to, journal, head: headOf(this.#graph, this.#ports.newEpoch(), position, erasedAt, bytes) }
  }

  /** Enters a folder into the manifest as unfinished and fills it; removes it if it did not become that of the graph. */
  async #fillFolder<T>(to: GraphHome, fill: () => Promise<T>): Promise<T> {
    try {
      await this.#ports.manifest?.recordCreating(this.#graph, nameOf(to))
      return await fill()
    } catch (error) {
      if (!isFatal(error) && this.#state?.home !== to) await this.#abandon(to)
      throw error
    }
  }

  /** Removes a folder that did not become a graph; tries again later if that fails. */
  async #abandon(home: GraphHome): Promise<void> {
    this.#leftovers.add(home)
    await this.removeLeftovers().catch(() => this.#ports.onNotRemoved())
  }

  /**
   * Makes a complete folder that of the graph, while no vectors are added. Those of the former folder are copied except those
   * of `without`, or left behind if that is undefined.
   */
  async #switchTo(next: State, without?: ReadonlySet<MemoryId>): Promise<void> {
    const from = this.#state
    const unblocks = await Promise.all([...this.#vectors].map((file) => file.blockWrites()))
    let location = this.#vectorLocation()
    try {
      if (from !== undefined && without !== undefined) await this.#copyVectors(from.home, next.home, without)
      const { epoch } = next.head
      await this.#ports.manifest?.recordCreated(this.#graph, { folder: nameOf(next.home), epoch })
      this.#state = next
      location = from !== undefined && without === undefined ? undefined : this.#vectorLocation()
    } finally {
      for (const unblock of unblocks) await unblock(location).catch(() => undefined)
    }
    await this.#closeFormer(from?.journal, location)
  }

  /** Closes the journal of the former folder, and the vectors there. */
  async #closeFormer(journal: Journal | undefined, location: VectorLocation | undefined): Promise<void> {
    this.#compactAt = 0
    // A journal that cannot be closed can still be removed.
    await journal?.close().catch((error: unknown) => this.#ports.health.noteFailure(error))
    for (const file of this.#vectors) await (await file.blockWrites())(location).catch(() => undefined)
  }

  /** Ignores errors that are not fatal: vectors that are missing are computed again. */
  async #copyVectors(from: GraphHome, to: GraphHome, without: ReadonlySet<MemoryId>): Promise<void> {
    try {
      await copyVectors(this.#ports.files, vectorsPath(from), vectorsPath(to), without)
    } catch (error) {
      if (isFatal(error)) throw error
    }
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

  #compactIfDue(): void {
    if (this.#state === undefined || this.#compacting !== undefined) return
    const { home, journal } = this.#state
    const { size } = journal
    // Not before the journal is larger than the snapshot, so that all compactions cost about as much as the writes.
    if (
      size < this.#compactAt ||
      size <= Math.max(this.#ports.compactBytes, this.#sizeAt(snapshotPath(home)))
    )
      return
    const replace = (write: () => Promise<Journal>) =>
      this.#writes.run(async () => {
        const next = await write()
        if (this.#state !== undefined) this.#state = { ...this.#state, journal: next }
        await journal.close()
      })
    this.#compacting = compact(home, journal, replace)
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

  /** Runs a change if the head is still `after`. */
  #change<T>(after: Head | undefined, work: () => Promise<T>): Promise<T> {
    const { health } = this.#ports
    return this.#changes.run(async () => {
      try {
        health.refuseUnlessWritable()
        if (!isSame(after, this.head)) throw new Behind()
        return await work()
      } catch (error) {
        if (error instanceof Behind || error instanceof Failure) throw error
        health.noteFailure(error)
        throw toFailure(error)
      }
    })
  }

  #homeIn(name: string): GraphHome {
    const { files, folder } = this.#ports
    return homeIn(files, folder, this.#graph, name)
  }

  #nextHome(): GraphHome {
    const { owner, randomBytes } = this.#ports
    const current = this.#state && nameOf(this.#state.home)
    return this.#homeIn(nextFolder(this.#graph, current, owner, randomBytes(4)))
  }

  #vectorLocation(): VectorLocation | undefined {
    const { writable: isWritable } = this.#ports.health.current
    return this.#state && { path: vectorsPath(this.#state.home), isWritable }
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
