import { join } from 'node:path'
import type { GraphId } from '../../../domain/model.js'
import { Broken } from '../disk/errors.js'
import type { Files } from '../disk/files.js'
import { type GraphHome, journalPath, readGraph } from '../graph-files/journal.js'
import { KeyFile } from '../keys/key-file.js'
import { scanManifest } from './manifest.js'

/** An incomplete last record, which was never acknowledged; the next start cuts it off. */
export interface Torn {
  readonly file: string
  readonly offset: number
  readonly bytes: number
}

interface GraphReport {
  readonly graph: GraphId
  /** Where it is kept. */
  readonly folder: string
  /** How many records can be read. */
  readonly records: number
  readonly torn?: Torn
  readonly broken?: Broken
}

export interface FolderReport {
  readonly torn?: Torn
  /** The manifest itself is damaged, so that the graphs are not known. */
  readonly broken?: Broken
  readonly graphs: readonly GraphReport[]
  /** The file with the keys is damaged. */
  readonly brokenKeys?: Broken
  /** Folders that no entry of the manifest explains; they are left alone. */
  readonly strays: readonly string[]
}

/** Reads every byte of a data folder and says what is right and what is not. Changes nothing. */
export async function verifyFolder(files: Files, folder: string): Promise<FolderReport> {
  let scan: Awaited<ReturnType<typeof scanManifest>>
  try {
    scan = await scanManifest(files, folder)
  } catch (error) {
    if (error instanceof Broken) return { broken: error, graphs: [], strays: [] }
    throw error
  }
  if (scan === undefined) return { graphs: [], strays: [], ...(await inspectKeys(files, folder)) }
  const graphs: GraphReport[] = []
  for (const [graph, name] of scan.graphs)
    graphs.push(
      await verifyGraph({ files, fence: () => undefined, graph, folder: join(folder, 'graphs', name) }),
    )
  const known = new Set([...scan.graphs.values(), ...scan.leftovers.keys()])
  const strays = (await files.list(join(folder, 'graphs'))).filter((name) => !known.has(name))
  const { ending, path, size } = scan
  const torn = ending.kind === 'torn' ? { torn: { file: path, offset: size, bytes: ending.bytes } } : {}
  return { graphs, strays, ...torn, ...(await inspectKeys(files, folder)) }
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

async function verifyGraph(home: GraphHome): Promise<GraphReport> {
  let records = 0
  try {
    const { journal } = await readGraph(home, (lines) => {
      for (const { count } of lines) records += count
    })
    const { ending, size } = journal
    const torn =
      ending.kind === 'torn' ? { torn: { file: journalPath(home), offset: size, bytes: ending.bytes } } : {}
    return { graph: home.graph, folder: home.folder, records, ...torn }
  } catch (error) {
    if (error instanceof Broken) return { graph: home.graph, folder: home.folder, records, broken: error }
    throw error
  }
}
