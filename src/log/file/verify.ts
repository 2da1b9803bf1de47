import { join } from 'node:path'
import type { GraphId } from '../../domain/model.js'
import { Broken } from './disk/errors.js'
import { type Files, readAll } from './disk/files.js'
import { DELETED } from './folder-names.js'
import { type GraphHome, homeIn, journalPath, readGraph } from './journal.js'
import { KeyFile } from './keys.js'
import { scanManifest } from './manifest.js'
import { isDataFolder } from './recover.js'
import type { LogScan } from './scan.js'

/** An incomplete last record, which was never acknowledged; the next start cuts it off. */
export interface Torn {
  readonly file: string
  readonly offset: number
  readonly bytes: number
}

export interface GraphReport {
  readonly graph: GraphId
  /** The path of its folder. */
  readonly folder: string
  readonly epoch: string
  /** The number of readable positions. */
  readonly records: number
  readonly torn?: Torn
  readonly broken?: Broken
}

export interface FolderReport {
  /** If false, the rest of the report is empty. */
  readonly isDataFolder: boolean
  readonly torn?: Torn
  /** Set if the manifest is damaged, in which case `graphs` is empty. */
  readonly broken?: Broken
  readonly graphs: readonly GraphReport[]
  /** The file with the keys is damaged. */
  readonly brokenKeys?: Broken
  /** The file with the hash of the root secret is damaged. */
  readonly brokenSecret?: Broken
  /** Folders that the manifest does not name. They are left alone. */
  readonly strays: readonly Stray[]
}

export interface Stray {
  readonly name: string
  /** Does it hold a journal or a snapshot, so that it may be a graph missing from the manifest? */
  readonly isGraph: boolean
}

/** Reads every byte of a data folder and reports the damage. Changes nothing. */
export async function verifyFolder(files: Files, folder: string): Promise<FolderReport> {
  if (!(await isDataFolder(files, folder))) return { isDataFolder: false, graphs: [], strays: [] }
  const findings = {
    isDataFolder: true,
    ...(await inspectKeys(files, folder)),
    ...(await inspectSecret(files, folder)),
  }
  let scan: Awaited<ReturnType<typeof scanManifest>>
  try {
    scan = await scanManifest(files, folder)
  } catch (error) {
    if (error instanceof Broken) return { ...findings, broken: error, graphs: [], strays: [] }
    throw error
  }
  if (scan === undefined) return { ...findings, graphs: [], strays: [] }
  const graphs: GraphReport[] = []
  for (const [graph, { folder: name, epoch }] of scan.graphs) {
    graphs.push(await verifyGraph(homeIn(files, folder, graph, name), epoch))
  }
  const manifestFolders = new Set([
    ...Array.from(scan.graphs.values(), (location) => location.folder),
    ...scan.leftovers.keys(),
  ])
  const names = (await files.list(join(folder, 'graphs'))).filter((name) => !manifestFolders.has(name))
  const strays = await Promise.all(
    names.map(async (name) => ({ name, isGraph: await mayBeGraph(files, join(folder, 'graphs', name)) })),
  )
  return { ...findings, graphs, strays, ...tornIn(scan.path, scan) }
}

/** Does a folder hold files of a graph that was not deleted? */
export async function mayBeGraph(files: Files, path: string): Promise<boolean> {
  const names = await files.list(path)
  return (
    !names.includes(DELETED) &&
    names.some((name) => /^(journal\.ndjson|snapshot\.json)(\.damaged-\d+)?$/.test(name))
  )
}

async function inspectKeys(files: Files, folder: string): Promise<{ brokenKeys?: Broken }> {
  try {
    await new KeyFile(files, folder).read()
    return {}
  } catch (error) {
    if (error instanceof Broken) return { brokenKeys: error }
    throw error
  }
}

async function inspectSecret(files: Files, folder: string): Promise<{ brokenSecret?: Broken }> {
  const path = join(folder, 'secret.sha256')
  if (files.identify(path) === undefined || /^[0-9a-f]{64}\n$/.test(await readAll(files, path))) return {}
  return { brokenSecret: new Broken(path, 0, 'it does not hold the hash of a secret') }
}

/** Reads a graph up to its end or to the damage. */
export async function verifyGraph(home: GraphHome, epoch: string): Promise<GraphReport> {
  const { graph, folder } = home
  let records = 0
  try {
    const { journal } = await readGraph(home, (lines) => {
      for (const { count } of lines) records += count
    })
    return { graph, folder, epoch, records, ...tornIn(journalPath(home), journal) }
  } catch (error) {
    if (error instanceof Broken) return { graph, folder, epoch, records, broken: error }
    throw error
  }
}

function tornIn(file: string, { size, tornBytes }: LogScan): { torn?: Torn } {
  return tornBytes > 0 ? { torn: { file, offset: size, bytes: tornBytes } } : {}
}
