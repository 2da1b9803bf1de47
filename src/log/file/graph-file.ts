import { dirname, join } from 'node:path'
import { Failure, storeClosed } from '../../domain/failure.js'
import type { GraphId, MemoryId } from '../../domain/model.js'
import type { SavedIndexes } from '../../graph/indexes.js'
import { type Entry, lastPositionOf } from '../entries.js'
import { Behind, Diverged, type Erasure, type Head, isSame, NewerVersion } from '../graph-log.js'
import { compact, isDue, JournalSwap } from './compact.js'
import { flushedFolder } from './disk/durable.js'
import { isFatal, toFailure } from './disk/errors.js'
import type { Files } from './disk/files.js'
import type { StoreHealth } from './disk/health.js'
import type { Fence } from './disk/lock.js'
import { DELETED, folderOf, nextFolder, whenMade } from './folder-names.js'
import { encodeHeader, paddingFor } from './frame.js'
import { readIndexes, writeIndexes } from './index-file.js'
import {
  createJournal,
  elsewhere,
  type GraphHome,
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
import { copyGraph, groupOf, writeErased } from './rewrite.js'
import { copyVectors, VectorFile, type VectorPlace } from './vectors.js'

/** What the graphs of a data folder share. */
export interface GraphPorts {
  readonly files: Files
  readonly fence: Fence
  /** The folder with the folders of the graphs. */
  readonly graphsFolder: string
  /** Undefined when nothing may be written. */
  readonly manifest: Manifest | undefined
  readonly health: StoreHealth
  /** The number of the owner of the data folder, which the folders that it makes have in their names. */
  readonly owner: number
  readonly randomBytes: (size: number) => Uint8Array
  /** Gives an epoch that no graph had before. */
  readonly newEpoch: () => string
  /** A shorter journal is not compacted. */
  readonly compactBytes: number
  /** Called when a journal was compacted. */
  readonly compacted: (details: object) => void
  /** Called when a journal was written to, which stays open. */
  readonly wrote: (graph: GraphFile) => void
  /** Called when a folder could not be removed. */
  readonly notRemoved: () => void
}

/** What is known of the journal of a graph that is not open. */
interface ClosedJournal {
  readonly size: number
  readonly lastSeq: number
  /** What the snapshot holds, and where the frames begin that it does not. */
  readonly through: number
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
  /** Changes whenever what was read before may hold what is erased now, or belongs to another graph of that name. */
  #generation = 0
  /** One change after the other. */
  #changes: Promise<unknown> = Promise.resolve()
  /** Within a change, or between two, one write to the journal after the other. */
  #writes: Promise<unknown> = Promise.resolve()
  #compacting: Promise<void> | undefined
  /** After a failed compaction, the size of the journal at which to try again. */
  #compactAt = 0
  #keeping: Promise<void> | undefined
  readonly #readings = new Set<Reading>()
  readonly #replacing = new Set<Promise<void>>()
  readonly #taken = new Set<Taken>()
  readonly #vectors = new Set<VectorFile>()
  /** Folders that hold an earlier state of the graph, or one that came to nothing, and could not be removed. */
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

  /** How many folders could not be removed. */
  get leftovers(): number {
    return this.#leftovers.size
  }

  async *read(after: Head | undefined, from?: number): AsyncGenerator<readonly Entry[]> {
    const { health } = this.#ports
    const opened = await this.#openReading(after)
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
      checkedPosition(entries, before?.position ?? 0)
      await this.#takeOver()
      const head = await this.#exclusive(() =>
        before === undefined || this.#home === undefined
          ? this.#create(entries)
          : this.#append(this.#home, before, entries),
      )
      this.#head = head
      this.#ports.wrote(this)
      this.#compactIfDue()
      return head
    })
  }

  erase(after: Head, erasure: Erasure): Promise<Head> {
    return this.#change(after, async (before) => {
      const from = this.#home
      if (from === undefined || before === undefined) throw new Behind()
      const position = checkedPosition([erasure.erased], before.position)
      await this.#settled()
      const to = this.#nextHome()
      const { journal, bytes } = await this.#rewriting(to, () => this.#writeErased(from, to, before, erasure))
      this.#generation++
      const head = headOf(this.#graph, before.epoch, position, position, bytes)
      await this.#moveTo(to, journal, head)
      await this.#removeFolder(from)
      return head
    })
  }

  /** The entries are written while others may change the graph; only the last step is one of its changes. */
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
    const taken = new Taken(entries)
    this.#taken.add(taken)
    let erasedAt = 0
    let count = 0
    try {
      const journal = await this.#written(to, async (write) => {
        let position = 0
        for await (const some of taken) {
          position = checkedPosition(some, position)
          erasedAt = erasedIn(some) ?? erasedAt
          count += some.length
          await write(some.map(groupOf))
        }
        if (position === 0) throw new Error('A graph holds at least one entry.')
      })
      return await this.#change(
        after,
        async () => {
          await this.#settled()
          const from = this.#home
          await this.#announce(to, epoch)
          this.#generation++
          const head = headOf(this.#graph, epoch, journal.lastSeq, erasedAt, bytesOf(journal, to, count))
          // A graph that was not there had no vectors either.
          await this.#moveTo(to, journal, head, from === undefined)
          if (from !== undefined) await this.#removeFolder(from)
          this.#compactIfDue()
          return head
        },
        async (error) => {
          // Nobody has seen what was not announced.
          if (this.#home === to) return
          await journal.close()
          if (!isFatal(error)) await this.#abandon(to)
        },
      )
    } catch (error) {
      if (taken.failure !== undefined) throw taken.failure.error
      if (error instanceof Behind || error instanceof Failure) throw error
      this.#ports.health.failed(error)
      throw toFailure(error)
    } finally {
      this.#taken.delete(taken)
    }
  }

  remove(after: Head): Promise<void> {
    return this.#change(after, async () => {
      const from = this.#home
      if (from === undefined) throw new Behind()
      await this.#settled()
      await this.#ports.manifest?.deleted(this.#graph, nameOf(from))
      this.#generation++
      await this.#moveTo(undefined, undefined, undefined)
      await this.#removeFolder(from)
    })
  }

  vectors(identity: string): VectorFile {
    const file = new VectorFile(this.#ports.files, this.#vectorPlace(), identity, (closed) => {
      this.#vectors.delete(closed)
    })
    this.#vectors.add(file)
    return file
  }

  async readIndexes(): Promise<SavedIndexes | undefined> {
    return this.#home && readIndexes(this.#home)
  }

  /** Not into the folder of a former owner; a change that replaces the folder waits for it. */
  async writeIndexes(kept: SavedIndexes): Promise<void> {
    await this.#keeping
    const home = this.#home
    if (home === undefined || this.#isFormer(home) || !this.#ports.health.current.writable) return
    this.#keeping = writeIndexes(home, kept)
      .catch((error: unknown) => {
        if (isFatal(error)) this.#ports.health.failed(error)
      })
      .finally(() => {
        this.#keeping = undefined
      })
    await this.#keeping
  }

  /** Tries again to remove what could not be removed. Rejects if something is left. */
  async removeLeftovers(): Promise<void> {
    const failed: unknown[] = []
    for (const home of this.#leftovers)
      await this.#forget(home).catch((error: unknown) => void failed.push(error))
    if (failed.length > 0) throw failed[0]
  }

  /** Lets go of the journal until the next write. */
  closeJournal(): Promise<void> {
    return this.#exclusive(async () => {
      const journal = this.#journal
      if (journal === undefined || journal.isDirty || this.#compacting !== undefined) return
      this.#journal = undefined
      this.#closed = closedAs(journal)
      await journal.close()
    })
  }

  async close(): Promise<void> {
    for (const taken of this.#taken) taken.stop()
    await Promise.all(this.#replacing)
    await this.#changes
    await this.#settled()
    for (const reading of this.#readings) await reading.close()
    for (const file of this.#vectors) await file.close()
    const journal = this.#journal
    this.#journal = undefined
    await this.#exclusive(async () => journal?.close())
  }

  /** Opens the files for a reading; undefined when there is nothing to read. */
  async #openReading(
    after: Head | undefined,
  ): Promise<{ readonly reading: Reading; readonly generation: number } | undefined> {
    for (;;) {
      this.#ports.health.refuseIfClosed()
      const [head, home, generation] = [this.#head, this.#home, this.#generation]
      if (after !== undefined && !continues(after, head)) throw new Diverged()
      if (head === undefined || home === undefined || head.position === after?.position) return undefined
      let reading: Reading
      try {
        reading = await Reading.open(home, head.position)
      } catch (error) {
        // The folder was replaced between the two lines above.
        if (home !== this.#home) continue
        throw toFailure(error)
      }
      if (generation === this.#generation) return { reading, generation }
      await reading.close()
    }
  }

  async #writeErased(
    from: GraphHome,
    to: GraphHome,
    before: Head,
    erasure: Erasure,
  ): ReturnType<typeof writeErased> {
    const reading = await Reading.open(from, before.position)
    let journal: Journal | undefined
    try {
      const written = await writeErased(reading.lines(), to, erasure)
      journal = written.journal
      await this.#moveVectors(to, async () => {
        await this.#copyVectors(from, to, erasure.memoryIds)
        await this.#announce(to, before.epoch)
      })
      return written
    } catch (error) {
      await journal?.close()
      throw error
    } finally {
      await reading.close()
    }
  }

  /** Takes a graph that a former owner left over into a folder of this one: that owner may still be alive, so nothing is written to its files. */
  async #takeOver(): Promise<void> {
    const [from, head] = [this.#home, this.#head]
    if (from === undefined || head === undefined || !this.#isFormer(from)) return
    await this.#settled()
    const to = this.#nextHome()
    const journal = await this.#rewriting(to, async () => {
      const journal = await copyGraph(from, to, head.position)
      try {
        await this.#moveVectors(to, async () => {
          await this.#copyVectors(from, to, new Set())
          await this.#announce(to, head.epoch)
        })
        return journal
      } catch (error) {
        await journal.close()
        throw error
      }
    })
    await this.#moveTo(to, journal, head)
    // It holds nothing that was erased: the next start may remove it as well.
    await this.#removeFolder(from).catch(() => undefined)
  }

  #isFormer(home: GraphHome): boolean {
    return whenMade(this.#graph, nameOf(home))?.owner !== this.#ports.owner
  }

  /** Makes the graph, with its first entries. */
  async #create(entries: readonly Entry[]): Promise<Head> {
    const first = this.#homeIn(folderOf(this.#graph, this.#ports.owner))
    // A folder that is there already, whatever it is, is left alone.
    const isFree = this.#ports.files.identify(first.folder) === undefined
    const to = isFree ? first : this.#nextHome()
    const epoch = this.#ports.newEpoch()
    const journal = await this.#written(to, (write) => write(entries.map(groupOf)))
    try {
      await this.#announce(to, epoch)
    } catch (error) {
      await journal.close()
      if (!isFatal(error)) await this.#abandon(to)
      throw error
    }
    const bytes = bytesOf(journal, to, entries.length)
    const head = headOf(this.#graph, epoch, journal.lastSeq, erasedIn(entries) ?? 0, bytes)
    await this.#moveTo(to, journal, head)
    return head
  }

  async #append(home: GraphHome, before: Head, entries: readonly Entry[]): Promise<Head> {
    const journal = await this.#openJournal(home)
    const { size } = journal
    await journal.append(entries.map(groupOf))
    const { epoch, erasedAt, bytes } = before
    const erased = erasedIn(entries) ?? erasedAt
    return headOf(this.#graph, epoch, journal.lastSeq, erased, bytes + journal.size - size - entries.length)
  }

  #written(to: GraphHome, fill: Parameters<typeof createJournal>[2]): Promise<Journal> {
    return this.#rewriting(to, () => createJournal(to, 0, fill))
  }

  /** Announces a folder and fills it; if that fails, the folder is removed. */
  async #rewriting<T>(to: GraphHome, fill: () => Promise<T>): Promise<T> {
    try {
      await this.#ports.manifest?.creating(this.#graph, nameOf(to))
      return await fill()
    } catch (error) {
      if (!isFatal(error)) await this.#abandon(to)
      throw error
    }
  }

  async #announce(to: GraphHome, epoch: string): Promise<void> {
    await this.#ports.manifest?.created(this.#graph, { folder: nameOf(to), epoch })
  }

  /** Removes a folder that did not become a graph, later if it cannot be removed now. */
  async #abandon(home: GraphHome): Promise<void> {
    this.#leftovers.add(home)
    await this.#forget(home).catch(() => this.#ports.notRemoved())
  }

  /** Lets vectors be moved while nothing is added to them; they follow the graph if `move` succeeds. */
  async #moveVectors(to: GraphHome, move: () => Promise<void>): Promise<void> {
    const releases = await Promise.all([...this.#vectors].map((file) => file.hold()))
    let place = this.#vectorPlace()
    try {
      await move()
      place = { path: vectorsPath(to), isOurs: true }
    } finally {
      for (const release of releases) await release(place).catch(() => undefined)
    }
  }

  /** They are derived: where they cannot be copied they are computed again. */
  async #copyVectors(from: GraphHome, to: GraphHome, without: ReadonlySet<MemoryId>): Promise<void> {
    try {
      await copyVectors(this.#ports.files, vectorsPath(from), vectorsPath(to), without)
    } catch (error) {
      if (isFatal(error)) throw error
    }
  }

  /** From here on the graph is what is in another folder. */
  async #moveTo(
    home: GraphHome | undefined,
    journal: Journal | undefined,
    head: Head | undefined,
    hasSameVectors = home !== undefined,
  ): Promise<void> {
    const before = this.#journal
    this.#home = home
    this.#journal = journal
    this.#closed = undefined
    this.#head = head
    this.#compactAt = 0
    // What cannot be closed can be removed all the same.
    await before?.close().catch((error: unknown) => this.#ports.health.failed(error))
    const place = hasSameVectors ? this.#vectorPlace() : undefined
    for (const file of this.#vectors) await (await file.hold())(place).catch(() => undefined)
  }

  /** Removes the files of a graph that is elsewhere by now, or gone, for good, and those that could not be removed before. */
  async #removeFolder(home: GraphHome): Promise<void> {
    const { health, notRemoved } = this.#ports
    this.#leftovers.add(home)
    try {
      await this.removeLeftovers()
    } catch (error) {
      health.failed(error)
      notRemoved()
      throw new Failure(
        'storage_unavailable',
        'What was erased is in no answer any more, but a file that may hold it could not be removed. The service tries again every 30 seconds, and at the next start.',
        { cause: error },
      )
    }
  }

  async #forget(home: GraphHome): Promise<void> {
    await removeMarked(this.#ports.files, home.folder)
    await this.#ports.manifest?.forget(this.#graph, nameOf(home))
    this.#leftovers.delete(home)
  }

  async #openJournal(home: GraphHome): Promise<Journal> {
    if (this.#journal !== undefined) return this.#journal
    const closed = this.#closed
    if (closed === undefined) throw new Error('A journal is opened only after it was read.')
    const { size, lastSeq, through, uncompacted } = closed
    const { files, fence } = home
    // One that was cut off may end where a later write could be torn without showing it.
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
    const swapped = (swap: () => Promise<Journal>) =>
      this.#exclusive(async () => {
        this.#journal = await swap()
        await journal.close()
        return this.#journal
      })
    this.#compacting = compact(home, journal, swapped)
      .then(
        () => this.#ports.compacted({ graph: this.#graph, bytes: this.#sizeAt(snapshotPath(home)) }),
        (error: unknown) => {
          this.#compactAt = size * 2
          this.#ports.health.failed(error)
        },
      )
      .finally(() => {
        this.#compacting = undefined
      })
  }

  /** Resolves when no file is about to be replaced in the background. */
  async #settled(): Promise<void> {
    await this.#compacting
    await this.#keeping
  }

  /** A change decided on `after`; `failed` is called when it is refused or fails. */
  #change<T>(
    after: Head | undefined,
    work: (before: Head | undefined) => Promise<T>,
    failed: (error: unknown) => Promise<void> = async () => undefined,
  ): Promise<T> {
    const { health } = this.#ports
    const done = this.#changes.then(async () => {
      try {
        health.refuseUnlessWritable()
        if (!isSame(after, this.#head)) throw new Behind()
        return await work(this.#head)
      } catch (error) {
        await failed(error)
        if (error instanceof Behind || error instanceof Failure) throw error
        health.failed(error)
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
    return this.#home === undefined ? this.#homeIn(name) : elsewhere(this.#home, name)
  }

  #vectorPlace(): VectorPlace | undefined {
    return this.#home && { path: vectorsPath(this.#home), isOurs: this.#ports.health.current.writable }
  }

  #sizeAt(path: string): number {
    return this.#ports.files.identify(path)?.size ?? 0
  }
}

/** Removes a folder for good. The mark comes first, so that no repair takes what is left of it for a graph. */
export async function removeMarked(files: Files, folder: string): Promise<void> {
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
  await flushedFolder(files, dirname(folder))
}

function headOf(graphId: GraphId, epoch: string, position: number, erasedAt: number, bytes: number): Head {
  return { graphId, epoch, position, appendId: String(position), erasedAt, bytes }
}

/** How long the frames of a journal are that was just written, each with a line feed behind it. */
function bytesOf(journal: Journal, { graph }: GraphHome, count: number): number {
  return journal.size - encodeHeader(`graph ${graph}`, 0).length - count
}

function continues(after: Head, head: Head | undefined): boolean {
  return head !== undefined && head.epoch === after.epoch && head.position >= after.position
}

/** The last position of entries that follow a position without a gap. */
function checkedPosition(entries: readonly Entry[], last: number): number {
  for (const entry of entries) {
    if (entry.position !== last + 1 || entry.count < 1)
      throw new Error(`An entry is at position ${entry.position}, not ${last + 1}.`)
    last = lastPositionOf(entry)
  }
  return last
}

/** The position of the last `erased` record; undefined if there is none. */
function erasedIn(entries: readonly Entry[]): number | undefined {
  return entries.findLast(({ records }) => records[0]?.op === 'erased')?.position
}

/** Entries that come from elsewhere: an error of theirs is noted, so that it is not taken for one of the disk. */
class Taken implements AsyncIterable<readonly Entry[]> {
  failure: { readonly error: unknown } | undefined
  /** Ends the waiting for what a slow sender has not sent yet. */
  stop: () => void = () => undefined
  readonly #entries: AsyncIterable<readonly Entry[]>

  constructor(entries: AsyncIterable<readonly Entry[]>) {
    this.#entries = entries
  }

  [Symbol.asyncIterator](): AsyncIterator<readonly Entry[]> {
    const theirs = this.#entries[Symbol.asyncIterator]()
    return {
      next: async () => {
        try {
          // Not a race with a promise that outlives it, which would keep what each race was won with.
          return await new Promise((resolve, reject) => {
            this.stop = () => reject(storeClosed())
            theirs.next().then(resolve, reject)
          })
        } catch (error) {
          this.failure = { error }
          void theirs.return?.()?.catch(() => undefined)
          throw error
        }
      },
      return: async () => {
        await theirs.return?.()
        return { done: true, value: undefined }
      },
    }
  }
}

function closedAs({ size, lastSeq }: Journal): ClosedJournal {
  return { size, lastSeq, through: 0, uncompacted: 0 }
}
