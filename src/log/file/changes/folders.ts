import { basename, dirname, join } from 'node:path'
import { Failure } from '../../../domain/failure.js'
import { nextFolder, whenMade } from '../data-folder/folder-names.js'
import { flushedFolder } from '../disk/durable.js'
import { isFatal } from '../disk/errors.js'
import { abandonFolder } from '../graph-files/abandon.js'
import { copyGraph } from '../graph-files/copy-graph.js'
import type { GraphHome } from '../graph-files/journal.js'
import { JournalWriter } from '../graph-files/journal-writer.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { newMeanings } from '../open-graph/meanings-of.js'
import { closeGraph, type OpenGraph } from '../open-graph/open-graph.js'

export function elsewhere(home: GraphHome, name: string): GraphHome {
  return { ...home, folder: join(dirname(home.folder), name) }
}

/** The next folder of a graph that is rewritten. */
export function nextHome(home: GraphHome, { owner, clockAndRandom }: GraphPorts): GraphHome {
  const random = clockAndRandom.randomBytes(4)
  return elsewhere(home, nextFolder(home.graph, basename(home.folder), owner, random))
}

/** Is the graph in a folder that a former owner made? That one may still be alive, so nothing is written there. */
export function isFormer({ graph, folder }: GraphHome, { owner }: GraphPorts): boolean {
  return whenMade(graph, basename(folder))?.owner !== owner
}

/**
 * Takes a graph over into a folder of this owner, as it is; the caller keeps writers out. The graph in memory stays the
 * same, and so does the old folder, which is for the caller to remove.
 */
export async function takeOver(openGraph: OpenGraph, ports: GraphPorts): Promise<OpenGraph> {
  const { graph } = openGraph
  const home = nextHome(openGraph.home, ports)
  const name = basename(home.folder)
  await ports.announce.creating(name)
  try {
    const journal = await copyGraph(openGraph.home, home, graph.lastSeq)
    const writer = new JournalWriter(home, ports, { journal })
    const before = graph.meanings
    const meanings = newMeanings(home, ports, graph)
    try {
      if (before !== undefined && before.count > 0) await meanings?.takeOver(before, graph.rows, graph.rows)
      await ports.announce.created(name)
    } catch (error) {
      await writer.close()
      await meanings?.close()
      throw error
    }
    graph.meanings = meanings
    await openGraph.writer.close()
    await before?.close()
    return { ...openGraph, home, writer }
  } catch (error) {
    if (!isFatal(error)) await abandonFolder(home, ports)
    throw error
  }
}

/** From here on the new folder is the graph; if it is uncertain whether the manifest says so, no folder is removed. */
export async function announceCreated(openGraph: OpenGraph, ports: GraphPorts): Promise<void> {
  const { home } = openGraph
  try {
    await ports.announce.created(basename(home.folder))
  } catch (error) {
    await closeGraph(openGraph, ports)
    if (!isFatal(error)) await abandonFolder(home, ports)
    throw error
  }
}

/** Removes the files of a graph that is elsewhere by now, for good. */
export async function removeFolder(
  { files, folder }: GraphHome,
  { announce, failed }: GraphPorts,
): Promise<void> {
  try {
    await files.remove(folder)
    await flushedFolder(files, dirname(folder))
    await announce.removed(basename(folder))
  } catch (error) {
    if (isFatal(error)) failed(error)
    throw new Failure(
      'storage_unavailable',
      'What was erased is in no answer any more, but a file that holds it could not be removed. The next start removes it.',
      { cause: error },
    )
  }
}
