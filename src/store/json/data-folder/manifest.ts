import { join } from 'node:path'
import type { GraphId } from '../../../domain/model.js'
import { flushed, replaceFile } from '../disk/durable.js'
import { Broken } from '../disk/errors.js'
import type { Files } from '../disk/files.js'
import type { Fence } from '../disk/lock.js'
import { decodeLine, type Frame } from '../log/frame.js'
import { checkHeader, encodeHeader, MANIFEST_FORMAT } from '../log/header.js'
import { encodeGroups, Log } from '../log/log.js'
import { type Ending, type LogLine, scanLog } from '../log/scan.js'

const NAME = 'manifest.ndjson'
const LOG = 'manifest'

/** What the data folder holds, so that a file that is gone is missed. */
interface Entry {
  readonly seq: number
  /**
   * `creating` comes before the first byte of a folder, `created` when the graph in it is whole: from then on it is in
   * that folder and no other. `deleted` comes before the first file of a graph is removed.
   */
  readonly op: 'creating' | 'created' | 'deleted'
  readonly graph: GraphId
  readonly folder: string
}

export interface ManifestScan {
  /** Folder by graph. */
  readonly graphs: ReadonlyMap<GraphId, string>
  /** Folders that may be there and hold no graph: never finished, left for another one, or deleted. */
  readonly leftovers: readonly string[]
  readonly format: number
  readonly path: string
  readonly size: number
  readonly lastSeq: number
  readonly ending: Ending
}

/** Reads the manifest; undefined when the data folder is new. */
export async function scanManifest(files: Files, folder: string): Promise<ManifestScan | undefined> {
  const path = join(folder, NAME)
  if (files.identify(path) === undefined) {
    if ((await files.list(join(folder, 'graphs'))).length === 0) return undefined
    throw new Broken(path, 0, 'the file is missing, though there are graphs beside it')
  }
  const contents = new Contents()
  const file = await files.openToRead(path)
  try {
    const check = (header: unknown) => checkHeader(path, header, LOG, MANIFEST_FORMAT)
    const { header, size, lastSeq, ending } = await scanLog(
      file,
      (header) => check(header).after,
      (lines) => contents.add(lines),
    )
    if (ending.kind === 'broken') throw new Broken(path, size, ending.why)
    const { format } = check(header)
    const { graphs, leftovers } = contents
    return { graphs, leftovers: [...leftovers], format, path, size, lastSeq, ending }
  } finally {
    await file.close()
  }
}

/** What the entries add up to. */
class Contents {
  readonly graphs = new Map<GraphId, string>()
  readonly leftovers = new Set<string>()

  add(lines: readonly LogLine[]): void {
    // The checksum says that we wrote it.
    for (const { bytes } of lines)
      for (const { op, graph, folder } of (decodeLine(bytes) as Frame<Entry>).records) {
        if (op === 'creating') this.leftovers.add(folder)
        else {
          const before = this.graphs.get(graph)
          if (before !== undefined) this.leftovers.add(before)
          this.graphs.delete(graph)
          if (op === 'deleted') continue
          this.leftovers.delete(folder)
          this.graphs.set(graph, folder)
        }
      }
  }
}

/** Is there enough in the manifest that no longer matters, or is it of an earlier format? */
export function isOutdated({ format, graphs, lastSeq }: ManifestScan): boolean {
  return format < MANIFEST_FORMAT || lastSeq > 2 * graphs.size + 100
}

/** The manifest of a folder that is written to. */
export class Manifest {
  readonly #log: Log<Entry>
  #queue: Promise<unknown> = Promise.resolve()

  constructor(log: Log<Entry>) {
    this.#log = log
  }

  static async open(files: Files, fence: Fence, scan: ManifestScan): Promise<Manifest> {
    const file = await files.openToAppend(scan.path, false)
    if (scan.ending.kind === 'torn') {
      await file.truncate(scan.size)
      await flushed(file, scan.path)
    }
    return new Manifest(new Log(files, fence, scan.path, file, scan.size, scan.lastSeq))
  }

  /** Rewrites the manifest of a data folder, with the folder of each graph; a new one has no graphs yet. */
  static create(files: Files, folder: string, graphs: ReadonlyMap<GraphId, string>): Promise<void> {
    const header = encodeHeader(LOG, 0, MANIFEST_FORMAT)
    const groups = [...graphs].map(([graph, folder], i) => {
      const entry: Entry = { seq: i + 1, op: 'created', graph, folder }
      return { records: [entry] }
    })
    const bytes = Buffer.concat([header, encodeGroups(groups, 0, header.length)])
    return replaceFile(
      files,
      join(folder, NAME),
      () => true,
      (file) => file.append(bytes),
    )
  }

  add(op: Entry['op'], graph: GraphId, folder: string): Promise<void> {
    const added = this.#queue.then(() =>
      this.#log.append([{ records: [{ seq: this.#log.lastSeq + 1, op, graph, folder }] }]),
    )
    this.#queue = added.catch(() => undefined)
    return added
  }

  async close(): Promise<void> {
    await this.#queue
    await this.#log.close()
  }
}
