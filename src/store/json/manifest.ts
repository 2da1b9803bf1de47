import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { GraphId } from '../../domain/model.js'
import type { Files } from './files.js'
import { decodeLine, type Frame } from './frames.js'
import { checkHeader, encodeHeader } from './headers.js'
import { encodeGroups, type Fence, Log } from './log.js'
import { type Ending, type LogLine, scanLog } from './scan.js'
import { flushed, flushedFolder } from './snapshot.js'
import { Broken } from './trouble.js'

const NAME = 'manifest.ndjson'
const LOG = 'manifest'

/** What the data folder holds, so that a file that is gone is missed. */
interface Entry {
  readonly seq: number
  /** `creating` comes before the first byte of a graph, `created` after its first event is on disk. */
  readonly op: 'creating' | 'created'
  readonly graph: GraphId
  readonly folder: string
}

export interface ManifestScan {
  /** Folder by graph. */
  readonly graphs: ReadonlyMap<GraphId, string>
  /** Folders of graphs whose first event was never acknowledged. */
  readonly unfinished: readonly string[]
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
  const graphs = new Map<GraphId, string>()
  const unfinished = new Set<string>()
  const visit = (lines: readonly LogLine[]) => {
    for (const { bytes } of lines) {
      // The checksum says that we wrote it.
      const { records } = decodeLine(bytes) as Frame<Entry>
      for (const { op, graph, folder } of records) {
        if (op === 'creating') unfinished.add(folder)
        else {
          unfinished.delete(folder)
          graphs.set(graph, folder)
        }
      }
    }
  }
  const file = await files.openToRead(path)
  try {
    const { header, size, lastSeq, ending } = await scanLog(
      file,
      (header) => checkHeader(path, header, LOG).after,
      visit,
    )
    if (ending.kind === 'broken') throw new Broken(path, size, ending.why)
    checkHeader(path, header, LOG)
    return { graphs, unfinished: [...unfinished], path, size, lastSeq, ending }
  } finally {
    await file.close()
  }
}

/** The manifest of a folder that is written to. */
export class Manifest {
  readonly #log: Log<Entry>

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

  /** Starts the manifest of a data folder; a new one has no graphs yet. */
  static async create(files: Files, folder: string, graphs: readonly GraphId[] = []): Promise<void> {
    const path = join(folder, NAME)
    const temporary = `${path}.tmp`
    await files.remove(temporary)
    const file = await files.openToAppend(temporary, true)
    try {
      const header = encodeHeader(LOG, 0)
      const entries = graphs.map((graph, i): Entry[] => [
        { seq: i + 1, op: 'created', graph, folder: folderOf(graph) },
      ])
      await file.append(Buffer.concat([header, encodeGroups(entries, 0, header.length)]))
      await flushed(file, temporary)
    } finally {
      await file.close()
    }
    await files.rename(temporary, path)
    await flushedFolder(files, folder)
  }

  creating(graph: GraphId): Promise<void> {
    return this.#add('creating', graph)
  }

  created(graph: GraphId): Promise<void> {
    return this.#add('created', graph)
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  #queue: Promise<unknown> = Promise.resolve()

  #add(op: Entry['op'], graph: GraphId): Promise<void> {
    const added = this.#queue.then(() =>
      this.#log.append([[{ seq: this.#log.lastSeq + 1, op, graph, folder: folderOf(graph) }]]),
    )
    this.#queue = added.catch(() => undefined)
    return added
  }
}

const READABLE = 40

/** A folder name that is safe on every file system: something to recognise it by, and a hash to tell it apart. */
export function folderOf(graph: GraphId): string {
  const readable = graph
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, READABLE)
  return `${readable}.${createHash('sha256').update(graph).digest('hex').slice(0, 20)}`
}
