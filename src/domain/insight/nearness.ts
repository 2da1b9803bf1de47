import { listOf } from '../groups.js'
import type { LinkKind } from '../model.js'
import type { Entry } from './entry.js'
import { EPSILON, leftOpen, sum } from './entry.js'
import type { Pool } from './pool.js'

/** Features that an entry gains from others: for each kind of nearness, the best first score among the near entries. */
export function nearness(pool: Pool) {
  const { entries, query, weight } = pool
  const byId = new Map(entries.map((entry) => [entry.memory.memoryId, entry]))
  const byContext = new Map<string, Entry[]>()
  const linking = new Map<string, Entry[]>()
  const replaced = new Map<string, Entry[]>()
  for (const entry of entries) {
    listOf(byContext, entry.memory.contextId).push(entry)
    for (const { kind, target } of entry.memory.links)
      listOf(linking, `${kind} ${byId.get(target)?.memory.contextId ?? target}`).push(entry)
    for (const id of entry.memory.trust.supersededBy) listOf(replaced, id).push(entry)
  }
  const best = (others: Iterable<Entry | undefined>, self: Entry) => {
    let highest = 0
    for (const other of others)
      if (other !== undefined && other !== self)
        highest = Math.max(highest, pool.firsts.get(other)?.score ?? 0)
    return highest
  }
  const out = (entry: Entry, wanted: LinkKind) => {
    const links = entry.memory.links.filter(({ kind }) => kind === wanted)
    return best(
      links.flatMap(({ target }) => byContext.get(byId.get(target)?.memory.contextId ?? target) ?? []),
      entry,
    )
  }
  const into = (entry: Entry, kind: LinkKind) => {
    const { contextId } = entry.memory
    const others = (linking.get(`${kind} ${contextId}`) ?? []).filter(
      ({ memory }) => memory.contextId !== contextId,
    )
    return best(others, entry)
  }
  const whole = Math.max(EPSILON, sum(query.terms.map(weight)))
  // The share of the query's words that the entries of a context have together.
  const coverages = new Map(
    Array.from(byContext, ([id, members]) => {
      const terms = query.terms.filter((term) => members.some(({ counts }) => counts.has(term)))
      return [id, sum(terms.map(weight)) / whole]
    }),
  )
  return (entry: Entry) => {
    const { contextId } = entry.memory
    const siblings = byContext.get(contextId) ?? []
    return {
      context_coverage: coverages.get(contextId) ?? 0,
      adjacent: adjacency(entry, siblings, pool),
      answers: answering(entry, siblings, pool),
      reinforces: out(entry, 'reinforcement'),
      reinforced: into(entry, 'reinforcement'),
      extended: into(entry, 'extension'),
      replaces: best(replaced.get(entry.memory.memoryId) ?? [], entry),
    }
  }
}

/**
 * The best score of the memories recorded just before and after it in its context and not replaced since; the score of the second
 * ones counts half.
 */
function adjacency({ memory }: Entry, siblings: readonly Entry[], { firsts }: Pool): number {
  let highest = 0
  for (const sibling of siblings) {
    if (sibling.memory.trust.status === 'superseded') continue
    const distance = Math.abs(sibling.memory.seq - memory.seq)
    if (distance === 1 || distance === 2)
      highest = Math.max(highest, (firsts.get(sibling)?.score ?? 0) / distance)
  }
  return highest
}

/** The score of the memory recorded just before it, if that ends with a question: the next memory most likely answers it. */
function answering({ memory }: Entry, siblings: readonly Entry[], { firsts }: Pool): number {
  const before = siblings.find((sibling) => sibling.memory.seq === memory.seq - 1)
  if (before === undefined || leftOpen(before.memory.text) === 0) return 0
  return firsts.get(before)?.score ?? 0
}
