import { basename, dirname, join, resolve } from 'node:path'
import type { GraphId } from '../../../domain/model.js'
import type { Logger } from '../../../store/logger.js'
import { flushedFolder } from '../disk/durable.js'
import { isFull } from '../disk/errors.js'
import type { Files } from '../disk/files.js'
import { cutJournal, type GraphHome, journalPath, readGraph } from '../graph-files/journal.js'
import { JOURNAL_FORMAT } from '../log/header.js'
import { whenMade } from './folder-names.js'
import { type Manifest, type ManifestScan, scanManifest } from './manifest.js'
import { removeEarlierNumbers } from './owner-number.js'

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
    const home = { files, fence: () => undefined, graph, folder: join(folder, 'graphs', name) }
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
 * Makes a folder that is ours fit to be written to: what was never acknowledged is cut off, the manifest becomes ours, and
 * what a crash left behind is removed. The files of a former owner, which may still be alive, are read and not written to.
 */
export async function prepareFolder(
  files: Files,
  folder: string,
  { scan, torn }: FoundFolder,
  owner: number,
  manifest: Manifest,
  log: Logger,
): Promise<void> {
  for (const { home, size } of torn)
    if (whenMade(home.graph, basename(home.folder))?.owner === owner) await cutJournal(home, size)
  try {
    await manifest.rewrite()
  } catch (error) {
    if (scan === undefined || !isFull(error)) throw error
    // Also a full disk can be read. The first entry will be another attempt.
    log.warn({ file: scan.path, err: error }, 'The manifest cannot be written anew yet: the disk is full.')
    return
  }
  await removeEarlierNumbers(files, folder, owner)
  const removed = await tidy(files, folder, scan, log)
  if (removed.length > 0) await manifest.rewrite(removed)
}

/** Removes folders that hold no graph, which it gives, and files that never got their name. */
async function tidy(
  files: Files,
  folder: string,
  scan: ManifestScan | undefined,
  log: Logger,
): Promise<readonly string[]> {
  const graphs = join(folder, 'graphs')
  const leftovers = [...(scan?.leftovers.keys() ?? [])]
  const homes = Array.from(scan?.graphs.values() ?? [], (name) => join(graphs, name))
  for (const name of leftovers) {
    if (files.identify(join(graphs, name)) === undefined) continue
    log.warn({ folder: name }, 'Removing a folder that holds no graph: one never finished, or erased.')
    await files.remove(join(graphs, name))
    await flushedFolder(files, graphs)
  }
  for (const within of [folder, ...homes])
    for (const file of await files.list(within))
      if (file.endsWith('.tmp')) await files.remove(join(within, file))
  return leftovers
}
