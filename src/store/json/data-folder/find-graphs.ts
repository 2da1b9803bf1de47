import { join } from 'node:path'
import type { GraphId } from '../../../domain/model.js'
import type { Files } from '../disk/files.js'
import { scanLog } from '../log/scan.js'
import { turnOf } from './folder-names.js'
import { afterOf } from './repair.js'

/** The graphs that the folders themselves tell of, for when the manifest cannot. */
export interface FoundGraphs {
  /** Folder by graph: of several, the one that was written last. */
  readonly graphs: ReadonlyMap<GraphId, string>
  /** Folders that are no graph, not a whole one, or an earlier state of one. */
  readonly others: readonly string[]
}

export async function findGraphs(files: Files, folder: string): Promise<FoundGraphs> {
  const graphs = new Map<GraphId, string>()
  const others: string[] = []
  for (const name of await files.list(join(folder, 'graphs'))) {
    const path = join(folder, 'graphs', name)
    const graph = await graphIn(files, path)
    const turn = graph === undefined ? -1 : turnOf(graph, name)
    // One that was written anew is whole when it has its snapshot.
    const whole = turn === 0 || files.identify(join(path, 'snapshot.json')) !== undefined
    const before = graph === undefined ? undefined : graphs.get(graph)
    if (graph === undefined || turn < 0 || !whole) others.push(name)
    else if (before === undefined) graphs.set(graph, name)
    else {
      const later = turnOf(graph, before) < turn
      graphs.set(graph, later ? name : before)
      others.push(later ? before : name)
    }
  }
  return { graphs, others }
}

/** The id of the graph that a folder holds, as its journal says; undefined when that cannot be read. */
async function graphIn(files: Files, folder: string): Promise<string | undefined> {
  const path = join(folder, 'journal.ndjson')
  if (files.identify(path) === undefined) return undefined
  const file = await files.openToRead(path)
  try {
    const { header } = await scanLog(file, afterOf, () => undefined)
    if (typeof header !== 'object' || header === null || !('log' in header)) return undefined
    return /^graph (.+)$/.exec(String(header.log))?.[1]
  } finally {
    await file.close()
  }
}
