import type { Graph } from '../../../graph/graph.js'
import { isFatal } from '../disk/errors.js'
import type { GraphHome } from '../graph-files/journal.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { writeIndexes } from './index-file.js'

/** Fewer memories are indexed as quickly as what was kept of them is read. */
const LEAST = 2000

/** Keeps the indexes of a graph if enough memories came to them since; no write that fails does harm. */
export async function keepIndexes(
  home: GraphHome,
  { indexes }: Graph,
  { failed }: Pick<GraphPorts, 'failed'>,
  least = 0,
): Promise<void> {
  if (indexes.terms.count - indexes.keptCount < Math.max(LEAST, least)) return
  try {
    await indexes.knowsContents()
    const kept = await indexes.kept()
    if (kept === undefined) return
    await writeIndexes(home, kept)
    indexes.keptCount = kept.count
  } catch (error) {
    if (isFatal(error)) failed(error)
  }
}
