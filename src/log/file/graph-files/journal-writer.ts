import { basename } from 'node:path'
import type { GraphRecord } from '../../../graph/records.js'
import { type StoredRecord, toStored } from '../../stored.js'
import { type Group, paddingFor } from '../log/frame.js'
import { JOURNAL_FORMAT } from '../log/header.js'
import type { Log } from '../log/log.js'
import { createJournal, type GraphHome, type GraphScan, journalPath, openJournal } from './journal.js'
import type { GraphPorts } from './ports.js'
import { JournalSwap } from './swap-journal.js'

type Journal = Log<StoredRecord>
type JournalPorts = Pick<GraphPorts, 'announce'>

/** The journal of one graph: made with the first event, opened with the first write, replaced when it is compacted. */
export class JournalWriter {
  readonly #home: GraphHome
  readonly #ports: JournalPorts
  readonly #scan: GraphScan | undefined
  #journal: Journal | undefined
  #turn: Promise<unknown> = Promise.resolve()

  /** `found` is what was found or written on disk; nothing for a graph that is not there yet. */
  constructor(
    home: GraphHome,
    ports: JournalPorts,
    found: { readonly scan?: GraphScan; readonly journal?: Journal } = {},
  ) {
    this.#home = home
    this.#ports = ports
    this.#scan = found.scan
    this.#journal = found.journal
  }

  /** Bytes in the journal. */
  get size(): number {
    return this.#journal?.size ?? this.#scan?.journal.size ?? 0
  }

  /** Each group all or none; all on disk when it resolves. */
  append(written: readonly Group<GraphRecord>[]): Promise<void> {
    const groups = written.map(toStored)
    return this.#exclusive(async () => {
      if (this.#journal === undefined && this.#scan === undefined) {
        this.#journal = await this.#create(groups)
        return
      }
      this.#journal ??= await this.#open()
      await this.#journal.append(groups)
    })
  }

  /** Replaces the journal by the one that `make` gives; what `make` does inside `exclusive` is done with no write under way. */
  async replace(
    make: (
      journal: Journal,
      exclusive: (swap: () => Promise<Journal>) => Promise<Journal>,
    ) => Promise<Journal>,
  ): Promise<void> {
    const before = this.#journal
    if (before === undefined) return
    await make(before, (swap) =>
      this.#exclusive(async () => {
        this.#journal = await swap()
        await before.close()
        return this.#journal
      }),
    )
  }

  close(): Promise<void> {
    return this.#exclusive(async () => this.#journal?.close())
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async #create(groups: readonly Group<StoredRecord>[]): Promise<Journal> {
    const name = basename(this.#home.folder)
    await this.#ports.announce.creating(name)
    const journal = await createJournal(this.#home, groups)
    try {
      await this.#ports.announce.created(name)
      return journal
    } catch (error) {
      await journal.close()
      throw error
    }
  }

  async #open(): Promise<Journal> {
    const scan = this.#scan
    if (scan === undefined) throw new Error('A journal is opened only after it was read.')
    const { format, journal, snapshot } = scan
    if (format < JOURNAL_FORMAT)
      throw new Error('A journal of an earlier format is rewritten, not written to.')
    // One that was cut off may end where a later write could be torn without showing it.
    const usable = journal.lastSeq >= snapshot.through && paddingFor(journal.size) === 0
    if (usable) return openJournal(this.#home, scan)
    const { uncompacted, size } = journal
    const from = await this.#home.files.openToRead(journalPath(this.#home))
    const swap = await JournalSwap.begin(this.#home, from, snapshot.through, uncompacted, size)
    try {
      await swap.copyTo(size)
      return await swap.finish(Math.max(journal.lastSeq, snapshot.through))
    } catch (error) {
      await swap.abandon()
      throw error
    }
  }
}
