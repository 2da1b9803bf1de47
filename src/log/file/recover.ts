import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import type { Logger } from '../../store/logger.js'
import { flushedFolder } from './disk/durable.js'
import { isFull } from './disk/errors.js'
import type { Files } from './disk/files.js'
import { latest, numbered, numberIn } from './disk/numbered.js'
import { whenMade } from './folder-names.js'
import { cutJournal, type GraphHome, type GraphScan, journalPath, readGraph } from './journal.js'
import {
  type GraphPlace,
  latestManifest,
  type Manifest,
  type ManifestScan,
  scanManifest,
} from './manifest.js'

/** Makes a folder and those above it so that a power cut does not take them away again, with all that is in them. */
export async function makeFolders(files: Files, path: string): Promise<void> {
  const made: string[] = []
  for (let at = resolve(path); files.identify(at) === undefined && at !== dirname(at); at = dirname(at))
    made.push(at)
  await files.makeFolder(path)
  for (const folder of made) await flushedFolder(files, dirname(folder))
}

/** What was found of a graph. */
export interface FoundGraph extends GraphPlace {
  readonly scan: GraphScan
}

/** What was found in a data folder. */
export interface FoundFolder {
  /** Undefined when there is nothing yet. */
  readonly scan: ManifestScan | undefined
  readonly graphs: ReadonlyMap<GraphId, FoundGraph>
}

/** Looks at every graph before any is served, so that damage stops the start and not a request. Changes nothing. */
export async function lookAtFolder(files: Files, folder: string, log: Logger): Promise<FoundFolder> {
  const scan = await scanManifest(files, folder)
  if (scan === undefined) await warnOfOthers(files, folder, log)
  if (scan?.ending.kind === 'torn')
    log.warn({ file: scan.path, offset: scan.size }, 'Cutting off an incomplete last record.')
  const graphs = new Map<GraphId, FoundGraph>()
  for (const [graph, place] of scan?.graphs ?? []) {
    const home = { files, fence: () => undefined, graph, folder: join(folder, 'graphs', place.folder) }
    const found = await readGraph(home, () => undefined)
    graphs.set(graph, { ...place, scan: found })
    const { ending, size } = found.journal
    if (ending.kind === 'torn')
      log.warn(
        { file: journalPath(home), offset: size, bytes: ending.bytes },
        'Cutting off an incomplete last record, which was never acknowledged.',
      )
  }
  return { scan, graphs }
}

/** What may be in a folder that the service makes into a data folder. */
const OURS = /^(lock.*|secret\.sha256.*|graphs|owner\.\d+|manifest.*\.tmp|lost\+found|\..*)$/

/** A service that was given the wrong path starts with nothing, which should not go unnoticed. */
async function warnOfOthers(files: Files, folder: string, log: Logger): Promise<void> {
  const others = (await files.list(folder)).filter((name) => !OURS.test(name))
  if (others.length > 0)
    log.warn(
      { folder, others: others.slice(0, 5) },
      'The folder was no data folder and is not empty: is it the right one? An empty one is made in it.',
    )
}

/** Is there anything in the folder that only a data folder holds? */
export async function isDataFolder(files: Files, folder: string): Promise<boolean> {
  const names = await files.list(folder)
  const isMark = (name: string) =>
    ['owner', 'clean'].some((stem) => numberIn(name, stem) !== undefined) ||
    numberIn(name, 'manifest', '.ndjson') !== undefined ||
    numberIn(name, 'keys', '.json') !== undefined
  if (names.some(isMark)) return true
  const graphs = names.includes('graphs') ? await files.list(join(folder, 'graphs')) : []
  return graphs.some((name) => files.identify(join(folder, 'graphs', name, 'journal.ndjson')) !== undefined)
}

/**
 * Makes a folder that is ours fit to be written to: what was never acknowledged is cut off, the manifest becomes ours, and
 * what a crash left behind is removed. The files of a former owner, which may still be alive, are read and not written to.
 */
export async function prepareFolder(
  files: Files,
  folder: string,
  { scan, graphs }: FoundFolder,
  owner: number,
  manifest: Manifest,
  log: Logger,
): Promise<void> {
  for (const [graph, { folder: name, scan }] of graphs) {
    const home: GraphHome = { files, fence: () => undefined, graph, folder: join(folder, 'graphs', name) }
    const isTorn = scan.journal.ending.kind === 'torn'
    if (isTorn && whenMade(graph, basename(name))?.owner === owner) await cutJournal(home, scan.journal.size)
  }
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
  const homes = Array.from(scan?.graphs.values() ?? [], ({ folder: name }) => join(graphs, name))
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

const OWNER = 'owner'
const CLEAN = 'clean'

/**
 * Gives the owner of a data folder its number. After an owner that closed in good order it is the same: that one is gone
 * for certain. Otherwise it is the next one, and nobody else gets it: a file of that name is made, which must not be there yet.
 * It is the first change that an owner makes.
 */
export async function takeNumber(files: Files, folder: string): Promise<number> {
  const last = Math.max((await latest(files, folder, OWNER)) ?? 0, (await latestManifest(files, folder)) ?? 0)
  const mark = join(folder, numbered(CLEAN, last))
  if (files.identify(mark) !== undefined) {
    await files.remove(mark)
    await flushedFolder(files, folder)
    return last
  }
  for (let number = last + 1; ; number++) {
    try {
      await (await files.openToAppend(join(folder, numbered(OWNER, number)), true)).close()
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue
      throw error
    }
    await flushedFolder(files, folder)
    return number
  }
}

/** Says that this owner closed in good order. Without it the next start takes more care, and no harm is done. */
export async function markClosed(files: Files, folder: string, number: number): Promise<void> {
  try {
    await (await files.openToAppend(join(folder, numbered(CLEAN, number)), true)).close()
  } catch {
    return
  }
}

/** Removes what is left of the numbers before this one. */
export async function removeEarlierNumbers(files: Files, folder: string, number: number): Promise<void> {
  for (const name of await files.list(folder)) {
    const earlier = numberIn(name, OWNER) ?? numberIn(name, CLEAN)
    if (earlier !== undefined && earlier < number) await files.remove(join(folder, name))
  }
}
