import { dirname, join, resolve } from 'node:path'
import type { GraphId } from '../../../domain/model.js'
import type { Logger } from '../../logger.js'
import { flushedFolder } from '../disk/durable.js'
import { isFull } from '../disk/errors.js'
import type { Files } from '../disk/files.js'
import { cutJournal, type GraphHome, journalPath, readGraph } from '../graph-files/journal.js'
import { JOURNAL_FORMAT } from '../log/header.js'
import { isOutdated, Manifest, type ManifestScan, scanManifest } from './manifest.js'

const CLEAN = 'clean'

/** Makes a folder and those above it so that a power cut does not take them away again, with all that is in them. */
export async function makeFolders(files: Files, path: string): Promise<void> {
  const made: string[] = []
  for (let at = resolve(path); files.identify(at) === undefined && at !== dirname(at); at = dirname(at))
    made.push(at)
  await files.makeFolder(path)
  for (const folder of made) await flushedFolder(files, dirname(folder))
}

/** What was found in a data folder. */
interface FoundFolder {
  /** Undefined when there is nothing yet. */
  readonly scan: ManifestScan | undefined
  /** Journals whose last record is incomplete, which was never acknowledged, and where each is whole. */
  readonly torn: readonly { readonly home: GraphHome; readonly size: number }[]
  /** The graphs that an earlier version wrote and that are to be rewritten. */
  readonly outdated: readonly GraphId[]
}

/** Looks at every graph before any is served, so that damage stops the start and not a request. Changes nothing. */
export async function lookAtFolder(files: Files, folder: string, log: Logger): Promise<FoundFolder> {
  const scan = await scanManifest(files, folder)
  if (scan?.ending.kind === 'torn')
    log.warn({ file: scan.path, offset: scan.size }, 'Cutting off an incomplete last record.')
  const torn = []
  const outdated: GraphId[] = []
  for (const [graph, name] of scan?.graphs ?? []) {
    const home = { files, fence: () => false, graph, folder: join(folder, 'graphs', name) }
    const { format, journal } = await readGraph(home, () => undefined)
    if (format < JOURNAL_FORMAT) outdated.push(graph)
    if (journal.ending.kind !== 'torn') continue
    log.warn(
      { file: journalPath(home), offset: journal.size, bytes: journal.ending.bytes },
      'Cutting off an incomplete last record, which was never acknowledged.',
    )
    torn.push({ home, size: journal.size })
  }
  return { scan, torn, outdated }
}

/**
 * Makes a folder that is ours fit to be written to: what was never acknowledged is cut off, what a crash left behind is
 * removed, and the manifest is written if there is none yet, if it is outdated, or if the last owner may still be alive:
 * an owner that wakes up in the middle of a write then writes to a file without a name, which is never read.
 */
export async function prepareFolder(
  files: Files,
  folder: string,
  { scan, torn }: FoundFolder,
  tookOver: boolean,
  log: Logger,
): Promise<ManifestScan | undefined> {
  for (const { home, size } of torn) await cutJournal(home, size)
  if (scan !== undefined) {
    await tidy(files, folder, scan, log)
    if (!tookOver && !isOutdated(scan)) return scan
  }
  try {
    await Manifest.create(files, folder, scan?.graphs ?? new Map())
  } catch (error) {
    if (scan === undefined || isOutdated(scan) || !isFull(error)) throw error
    // Also a full disk can be read, and a former owner cannot write to it either.
    log.warn({ file: scan.path, err: error }, 'The manifest is used as it is: the disk is full.')
    return scan
  }
  return scanManifest(files, folder)
}

/** Removes folders that hold no graph, and files that never got their name. */
async function tidy(files: Files, folder: string, scan: ManifestScan, log: Logger): Promise<void> {
  const graphs = join(folder, 'graphs')
  for (const name of scan.leftovers) {
    if (files.identify(join(graphs, name)) === undefined) continue
    log.warn({ folder: name }, 'Removing a folder that holds no graph: one never finished, or erased.')
    await files.remove(join(graphs, name))
    await flushedFolder(files, graphs)
  }
  for (const within of [folder, ...Array.from(scan.graphs.values(), (name) => join(graphs, name))])
    for (const file of await files.list(within))
      if (file.endsWith('.tmp')) await files.remove(join(within, file))
}

/** Did the last owner close in good order? */
export function wasClosed(files: Files, folder: string): boolean {
  return files.identify(join(folder, CLEAN)) !== undefined
}

/** Takes the mark away that the last owner closed in good order: from now on there is an owner again. */
export async function unmarkClosed(files: Files, folder: string): Promise<void> {
  await files.remove(join(folder, CLEAN))
  await flushedFolder(files, folder)
}

/** Without the mark the next start takes more care, and no harm is done. */
export async function markClosed(files: Files, folder: string): Promise<void> {
  try {
    await (await files.openToAppend(join(folder, CLEAN), true)).close()
  } catch {
    return
  }
}
