import { Meanings } from '../../../graph/embeddings.js'
import type { Graph } from '../../../graph/graph.js'
import { type GraphHome, vectorsPath } from '../graph-files/journal.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { VectorFile } from '../vectors.js'

type ReadingPorts = Pick<GraphPorts, 'reader'>

/** The vectors of a graph of which none is kept yet; undefined where nothing reads. */
export function newMeanings(home: GraphHome, { reader }: ReadingPorts, graph: Graph): Meanings | undefined {
  if (reader === undefined) return undefined
  const { files, graph: graphId } = home
  return new Meanings(new VectorFile(files, vectorsPath(home), reader.meaning.identity), {
    scan: reader.meaning.scan,
    failed: (error) => {
      reader.log.warn(
        { graph: graphId, err: error },
        'What was read for meaning cannot be kept on disk; it is kept in memory, or read again.',
      )
    },
    lost: () => reader.add(graph),
  })
}

function isOurs({ fence }: GraphHome): boolean {
  try {
    fence()
    return true
  } catch {
    return false
  }
}

/**
 * Finds the vectors that are kept of a graph whose records were read. Others in the file, which may be those of erased
 * memories, and whatever else is there are removed from it. Nothing that is wrong with the file keeps the graph closed.
 */
export async function openMeanings(home: GraphHome, ports: ReadingPorts, graph: Graph): Promise<void> {
  const found = graph.meanings
  if (found === undefined || (await found.open(graph.rows)) || !isOurs(home)) return
  graph.meanings = newMeanings(home, ports, graph)
  await graph.meanings?.takeOver(found, graph.rows, graph.rows)
  await found.close()
}
