import type { GraphId } from '../../../domain/model.js'
import type { Paging } from '../../../domain/page.js'
import type { StalePage } from '../../../domain/survey/lists.js'
import type { Session } from '../connection/session.js'
import { findStale } from '../trust/stale.js'
import { memoriesById } from './memories.js'

export async function staleMemories(
  session: Session,
  graphId: GraphId,
  { page, pageSize }: Paging,
): Promise<StalePage> {
  const search = await findStale(session, graphId)
  const { found, isCut } = search
  const memories = await memoriesById(session, graphId, found.slice(page * pageSize, (page + 1) * pageSize))
  const items = memories.map((memory) => ({ memory, because: search.because(memory.memoryId) }))
  return { items, total: found.length, page, pageSize, isCut }
}
