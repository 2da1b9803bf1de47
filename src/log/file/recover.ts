import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../../domain/failure.js'
import type { GraphId } from '../../domain/model.js'
import type { Logger } from '../../store/logger.js'
import { flushFolder } from './disk/durable.js'
import { isFull } from './disk/errors.js'
import type { Files } from './disk/files.js'
import { latestNumber, numberedName, numberIn } from './disk/numbered.js'
import { originOf } from './folder-names.js'
import { type GraphScan, homeIn, journalPath, readGraph } from './journal.js'
import { LogFile } from './log-file.js'
import {
  type GraphLocation,
  latestManifest,
  type Manifest,
  type ManifestScan,
  scanManifest,
} from './manifest.js'

/** Creates a folder and its missing parents, and flushes them, so that they survive a power cut. */
export async function makeFolders(files: Files, path: string): Promise<void> {
  const missing: string[] = []
  for (let at = resolve(path); files.identify(at) === undefined && at !== dirname(at); at = dirname(at))
    missing.push(at)
  await files.makeFolder(path)
  for (const folder of missing) await flushFolder(files, dirname(folder))
}

export interface FoundGraph extends GraphLocation {
  readonly scan: GraphScan
}

export interface FoundFolder {
  /** Undefined for a new data folder. */
  readonly scan: ManifestScan | undefined
  readonly graphs: ReadonlyMap<GraphId, FoundGraph>
}

/** Reads every graph before any is served, so that damage stops the start instead of a request. Changes nothing. */
export async function scanFolder(files: Files, folder: string, log: Logger): Promise<FoundFolder> {
  const scan = await scanManifest(files, folder)
  if (scan === undefined) await warnOfForeignFiles(files, folder, log)
  if (scan !== undefined && scan.tornBytes > 0)
    log.warn({ file: scan.path, offset: scan.size }, 'Cutting off an incomplete last record.')
  const graphs = new Map<GraphId, FoundGraph>()
  for (const [graph, location] of scan?.graphs ?? []) {
    const home = homeIn(files, folder, graph, location.folder)
    const found = await readGraph(home, () => undefined)
    graphs.set(graph, { ...location, scan: found })
    const { tornBytes, size } = found.journal
    if (tornBytes > 0)
      log.warn(
        { file: journalPath(home), offset: size, bytes: tornBytes },
        'Cutting off an incomplete last record, which was never acknowledged.',
      )
  }
  return { scan, graphs }
}

/** Names that may be in a folder before it becomes a data folder. */
const EXPECTED_NAMES = /^(lock.*|secret\.sha256.*|graphs|owner\.\d+|manifest.*\.tmp|lost\+found|\..*)$/

/** Warns if a new data folder is not empty: with a wrong path, the service would start without its graphs. */
async function warnOfForeignFiles(files: Files, folder: string, log: Logger): Promise<void> {
  const foreign = (await files.list(folder)).filter((name) => !EXPECTED_NAMES.test(name))
  if (foreign.length > 0)
    log.warn(
      { folder, others: foreign.slice(0, 5) },
      'The folder was no data folder and is not empty: is it the right one? An empty one is made in it.',
    )
}

/** Does the folder contain files that only a data folder has? */
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
 * Prepares a data folder for its new owner: cuts off unacknowledged records, writes the manifest of the new owner, and
 * removes leftovers of a crash. Never writes to files of a former owner, which may still be alive.
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
    const { tornBytes, size, lastSeq } = scan.journal
    if (tornBytes === 0 || originOf(graph, name)?.owner !== owner) continue
    const journal = new LogFile(files, journalPath(homeIn(files, folder, graph, name)), size, lastSeq)
    await journal.cutBack().finally(() => journal.close())
  }
  try {
    await manifest.rewrite()
  } catch (error) {
    if (scan === undefined || !isFull(error)) throw error
    // A full disk can still be read. The first write tries to rewrite the manifest again.
    log.warn({ file: scan.path, err: error }, 'The manifest cannot be written anew yet: the disk is full.')
    return
  }
  await removeEarlierNumbers(files, folder, owner)
  const removed = await removeLeftovers(files, folder, scan, log)
  if (removed.length > 0) await manifest.rewrite(removed)
}

/** Removes folders that hold no graph, and temporary files. Returns the names of the folders. */
async function removeLeftovers(
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
    await flushFolder(files, graphs)
  }
  for (const within of [folder, ...homes])
    for (const file of await files.list(within))
      if (file.endsWith('.tmp')) await files.remove(join(within, file))
  return leftovers
}

const OWNER = 'owner'
const CLEAN = 'clean'

/**
 * Takes a number for the new owner of a data folder. If the last owner closed properly, it is certainly gone and its number is
 * reused. Otherwise takes the next number, by creating a file that must not exist, so that no other process gets the same.
 * This is the first change that an owner makes.
 */
export async function takeNumber(files: Files, folder: string): Promise<number> {
  const last = Math.max(
    (await latestNumber(files, folder, OWNER)) ?? 0,
    (await latestManifest(files, folder)) ?? 0,
  )
  const mark = join(folder, numberedName(CLEAN, last))
  if (files.identify(mark) !== undefined) {
    await files.remove(mark)
    await flushFolder(files, folder)
    return last
  }
  for (let number = last + 1; ; number++) {
    try {
      await (await files.openToAppend(join(folder, numberedName(OWNER, number)), true)).close()
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue
      throw error
    }
    await flushFolder(files, folder)
    return number
  }
}

/** Marks that this owner closed properly. If that fails, the next owner just takes a new number. */
export async function markClosed(files: Files, folder: string, number: number): Promise<void> {
  try {
    await (await files.openToAppend(join(folder, numberedName(CLEAN, number)), true)).close()
  } catch {
    return
  }
}

/** Removes the files of earlier owner numbers. */
export async function removeEarlierNumbers(files: Files, folder: string, number: number): Promise<void> {
  for (const name of await files.list(folder)) {
    const earlier = numberIn(name, OWNER) ?? numberIn(name, CLEAN)
    if (earlier !== undefined && earlier < number) await files.remove(join(folder, name))
  }
}
