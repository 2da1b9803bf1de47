import { join } from 'node:path'
import type { GraphId } from '../../domain/model.js'
import { inSlices } from '../../loop/yielding.js'
import { replaceFile } from './disk/durable.js'
import { Broken } from './disk/errors.js'
import type { Files } from './disk/files.js'
import { latestNumber, numberedName, numberIn } from './disk/numbered.js'
import { Queue } from './disk/queue.js'
import { checkHeader, decodeLine, encodeHeader, type Frame, isIntact } from './frame.js'
import { encodeGroups, LogFile } from './log-file.js'
import { type LogLine, type LogScan, linesIn, scanLog } from './scan.js'

const LOG = 'manifest'
const END = '.ndjson'

/** A change of the data folder. The manifest lists all folders, so that a missing one is noticed. */
interface Entry {
  readonly seq: number
  /**
   * `creating` is written before the first byte of a folder, and `created` once its graph is complete: from then on, the
   * graph is in that folder and no other. `deleted` is written before the first file of a graph is removed.
   */
  readonly op: 'creating' | 'created' | 'deleted'
  readonly graph: GraphId
  readonly folder: string
  /** Only with `created`. Absent in manifests of 0.2, where the name of the folder serves as the epoch. */
  readonly epoch?: string
}

/** The folder of a graph. */
export interface GraphLocation {
  readonly folder: string
  /** Unchanged when the graph is rewritten into another folder; never used for another graph. */
  readonly epoch: string
}

export interface ManifestContents {
  readonly graphs: ReadonlyMap<GraphId, GraphLocation>
  /** Folders to be removed, with the graph of each: unfinished, replaced by another folder, or of a deleted graph. */
  readonly leftovers: ReadonlyMap<string, GraphId>
}

export interface ManifestScan extends ManifestContents, LogScan {
  readonly path: string
}

/** The number of the last owner that wrote a manifest. Manifests of earlier owners are not read. */
export function latestManifest(files: Files, folder: string): Promise<number | undefined> {
  return latestNumber(files, folder, LOG, END)
}

/** Reads the manifest; undefined when the data folder is new. */
export async function scanManifest(files: Files, folder: string): Promise<ManifestScan | undefined> {
  const found = await latestManifest(files, folder)
  const owner = found ?? (await latestNumber(files, folder, 'owner')) ?? 0
  const path = manifestPath(folder, owner)
  if (found === undefined) {
    if ((await files.list(join(folder, 'graphs'))).length > 0)
      throw new Broken(path, 0, 'the file is missing, though there are graphs beside it')
    // These files are never written before the first manifest.
    const later = (await files.list(folder)).find(
      (name) => numberIn(name, 'clean') !== undefined || numberIn(name, 'keys', '.json') !== undefined,
    )
    if (later === undefined) return undefined
    throw new Broken(path, 0, `the file is missing, though there is ${later} beside it`)
  }
  const contents = new Contents()
  const scan = await scanLog(
    files,
    path,
    (header) => checkHeader(path, header, LOG).after,
    (lines) => contents.add(lines),
  )
  return { ...scan, graphs: contents.graphs, leftovers: contents.leftovers, path }
}

/** The state that the entries add up to. */
class Contents {
  readonly graphs: Map<GraphId, GraphLocation>
  readonly leftovers: Map<string, GraphId>

  constructor({ graphs, leftovers }: Partial<ManifestContents> = {}) {
    this.graphs = new Map(graphs)
    this.leftovers = new Map(leftovers)
  }

  add(lines: readonly LogLine[]): void {
    // Safe to cast: the checksum proves that this program wrote it.
    for (const { bytes } of lines)
      for (const entry of (decodeLine(bytes) as Frame<Entry>).records) this.apply(entry)
  }

  apply({ op, graph, folder, epoch = folder }: Omit<Entry, 'seq'>): void {
    if (op === 'creating') this.leftovers.set(folder, graph)
    else {
      const before = this.graphs.get(graph)
      if (before !== undefined) this.leftovers.set(before.folder, graph)
      this.graphs.delete(graph)
      if (op === 'deleted') return
      this.leftovers.delete(folder)
      this.graphs.set(graph, { folder, epoch })
    }
  }
}

/** The manifest of the owner of a data folder. Only this owner writes to it; each new owner starts with a rewrite. */
export class Manifest {
  readonly #files: Files
  readonly #folder: string
  /** The number of the owner. */
  readonly owner: number
  readonly #contents: Contents
  #log: LogFile<Entry> | undefined
  readonly #queue = new Queue()

  constructor(files: Files, folder: string, owner: number, contents: ManifestContents | undefined) {
    this.#files = files
    this.#folder = folder
    this.owner = owner
    this.#contents = new Contents(contents)
  }

  recordCreating(graph: GraphId, folder: string): Promise<void> {
    return this.#add({ op: 'creating', graph, folder })
  }

  recordCreated(graph: GraphId, { folder, epoch }: GraphLocation): Promise<void> {
    return this.#add({ op: 'created', graph, folder, epoch })
  }

  recordDeleted(graph: GraphId, folder: string): Promise<void> {
    return this.#add({ op: 'deleted', graph, folder })
  }

  /** Writes the manifest of this owner, without removed folders. From then on, manifests of former owners are not read. */
  rewrite(removed: readonly string[] = []): Promise<void> {
    return this.#queue.run(async () => {
      for (const folder of removed) this.#contents.leftovers.delete(folder)
      await this.#rewrite()
    })
  }

  /** Forgets a removed folder. If the graph was deleted, rewrites the manifest without its name. */
  forget(graph: GraphId, folder: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#contents.leftovers.delete(folder)
      if (!this.#contents.graphs.has(graph)) await this.#rewrite()
    })
  }

  #add(entry: Omit<Entry, 'seq'>): Promise<void> {
    return this.#queue.run(async () => {
      const log = this.#log ?? (await this.#rewrite())
      await log.append([{ count: 1, records: [{ seq: log.lastSeq + 1, ...entry }] }])
      this.#contents.apply(entry)
    })
  }

  async close(): Promise<void> {
    await this.#queue.idle()
    await this.#log?.close()
  }

  /** After a failure `#log` is undefined, so the next entry tries again. */
  async #rewrite(): Promise<LogFile<Entry>> {
    await this.#log?.close()
    this.#log = undefined
    const path = manifestPath(this.#folder, this.owner)
    const { graphs, leftovers } = this.#contents
    const entries: Omit<Entry, 'seq'>[] = []
    for (const [graph, location] of graphs) entries.push({ op: 'created', graph, ...location })
    for (const [folder, graph] of leftovers) entries.push({ op: 'creating', graph, folder })
    const header = encodeHeader(LOG, 0)
    const groups = entries.map((entry, i) => ({ count: 1, records: [{ seq: i + 1, ...entry }] }))
    const bytes = Buffer.concat([header, await inSlices(encodeGroups(groups, 0, header.length))])
    await replaceFile(this.#files, path, (file) => file.append(bytes))
    this.#log = new LogFile(this.#files, path, bytes.length, entries.length)
    for (const name of await this.#files.list(this.#folder)) {
      const owner = numberIn(name, LOG, END)
      if (owner !== undefined && owner < this.owner) await this.#files.remove(join(this.#folder, name))
    }
    return this.#log
  }
}

export function manifestPath(folder: string, owner: number): string {
  return join(folder, numberedName(LOG, owner, END))
}

/** The graph of each folder according to the intact lines of a damaged manifest. */
export async function foldersNamedIn(files: Files, path: string): Promise<ReadonlyMap<string, GraphId>> {
  const found = new Map<string, GraphId>()
  for await (const lines of linesIn(files, path))
    for (const { bytes, isEnded } of lines)
      if (isEnded && isIntact(bytes))
        for (const { folder, graph } of (decodeLine(bytes) as Partial<Frame<Entry>>).records ?? [])
          found.set(folder, graph)
  return found
}
