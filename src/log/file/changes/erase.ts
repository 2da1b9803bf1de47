import { basename } from 'node:path'
import { decidedAs } from '../../../domain/events/recording.js'
import { isMemoryId } from '../../../domain/ids.js'
import type { Erasure } from '../../../domain/model.js'
import { type MemoryId, MOST_ERASED_IDS } from '../../../domain/model.js'
import type { Recorded } from '../../../domain/trust/claims/types.js'
import type { Graph } from '../../../graph/graph.js'
import type { EventRecord, Plan } from '../../../graph/records.js'
import type { ContextRow, MemoryRow } from '../../../graph/rows.js'
import { createYielding } from '../../../loop/yielding.js'
import type { ErasedStatement } from '../../feeds.js'
import { folderOf } from '../data-folder/folder-names.js'
import { GraphHistory } from '../graph-files/history.js'
import type { GraphPorts } from '../graph-files/ports.js'
import { type OpenGraph, openNothing } from '../open-graph/open-graph.js'
import type { Rebuild } from '../open-graph/rebuild.js'
import { endRebuild, rebuild } from '../open-graph/rebuild.js'
import { announceCreated, elsewhere, nextHome } from './folders.js'
import { reckonAgain } from './reckon-again.js'

/**
 * Erases from a graph; the caller keeps writers out. The rest is written into a folder of its own; one entry in the
 * manifest then makes that folder the graph and the old one a leftover, so that at every moment it is the one or the
 * other. Gives the open graph from then on: the same when nothing was erased. The old folder is for the caller to remove.
 */
export async function eraseFrom(
  openGraph: OpenGraph,
  ports: GraphPorts,
  what: Erasure,
  dryRun: boolean,
): Promise<Plan & { readonly openGraph: OpenGraph }> {
  const { erased, ids } = await planErasure(openGraph.graph, what)
  if (dryRun) return { erased, ids, openGraph }
  ports.refuseUnlessWritable()
  const { home } = openGraph
  if ('everything' in what) {
    await ports.announce.deleted(basename(home.folder))
    return { erased, ids, openGraph: openNothing(elsewhere(home, folderOf(home.graph, ports.owner)), ports) }
  }
  if (ids.size === 0) return { erased, ids, openGraph }
  return { erased, ids, openGraph: await rewrite(openGraph, ports, ids) }
}

/** Writes a graph into a new folder, in the format of today, without some of its memories or with all of them. */
export async function rewrite(
  openGraph: OpenGraph,
  ports: GraphPorts,
  without: ReadonlySet<MemoryId>,
): Promise<OpenGraph> {
  const home = nextHome(openGraph.home, ports)
  await ports.announce.creating(basename(home.folder))
  const left = await rebuild(home, ports, (into) => rebuildWithout(into, openGraph, without))
  const { meanings, rows } = openGraph.graph
  if (meanings !== undefined && meanings.count > 0)
    await left.graph.meanings?.takeOver(meanings, rows, left.graph.rows)
  await announceCreated(left, ports)
  return left
}

/** The statements of some memories, in order of recording. */
export function statementsOf(rows: readonly MemoryRow[]): ErasedStatement[] {
  return rows
    .flatMap(({ id, place, sightings }) =>
      [{ place }, ...sightings].map((at) => ({ place: at.place, memoryId: id })),
    )
    .sort((a, b) => a.place - b.place)
}

/** Works in slices and changes nothing; the caller keeps writers out. */
async function planErasure(graph: Graph, what: Erasure): Promise<Plan> {
  const going = goingFrom(graph, what)
  const ids = new Set(going.map(({ id }) => id))
  const left = new Set<ContextRow>()
  let relationships = 0
  const yielding = createYielding()
  for (const row of graph.rows.list) {
    const goes = ids.has(row.id)
    if (!goes) left.add(row.context)
    for (const { target } of row.links) {
      if (goes || ids.has(target)) relationships++
      else if (!isMemoryId(target)) left.add(graph.contexts.get(target))
    }
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  return {
    ids,
    erased: {
      memories: going.length,
      memoryIds: going.slice(0, MOST_ERASED_IDS).map(({ id }) => id),
      relationships,
      contexts: graph.contexts.size - left.size,
    },
  }
}

function goingFrom(graph: Graph, what: Erasure): readonly MemoryRow[] {
  if ('memoryId' in what) return [graph.rows.get(what.memoryId)]
  return 'contextId' in what ? graph.contexts.get(what.contextId).memories : graph.rows.list
}

/** Rewrites a graph without some of its memories: their records, and every link of others that names one. */
async function rebuildWithout(into: Rebuild, from: OpenGraph, ids: ReadonlySet<MemoryId>): Promise<void> {
  const reckoned = await reckonAgain(from, ids)
  for (const key of from.idempotency.spent) into.idempotency.spend(key)
  const past = await GraphHistory.open(from.home, from.graph)
  try {
    for await (const frames of past.frames())
      for (const { records: before, once } of frames) {
        const records: EventRecord[] = []
        for (const record of before) {
          if (record.op === 'rewritten' || ids.has(record.id)) continue
          const left = { ...withoutLinks(record, ids, reckoned), seq: into.graph.lastSeq + 1 }
          const turn = into.apply(left)
          records.push(left)
          if (turn !== undefined) await turn
        }
        const isWhole = records.length === before.length
        if (once !== undefined && !isWhole) into.idempotency.spend(once)
        if (records.length === 0) continue
        // Receipts that name an erased memory go with it; others no longer follow from the records, so they are written out.
        const kept = once && isWhole ? from.idempotency.withReceipts(once, ids) : undefined
        if (kept?.receipts !== undefined) into.idempotency.keep(kept, kept.receipts)
        await into.write({ records, ...(kept !== undefined && { once: kept }) })
      }
  } finally {
    await past.close()
  }
  await endRebuild(into, from.graph)
}

/** A record without the links that name an erased memory, and with what is decided of it from now on. */
function withoutLinks(
  record: EventRecord,
  ids: ReadonlySet<MemoryId>,
  reckoned: ReadonlyMap<number, Recorded>,
): EventRecord {
  const again = reckoned.get(record.place)
  const { decisions: before, ...rest } = record
  if (again !== undefined) return decidedAs({ ...rest, links: again.links }, again.decisions)
  if (!record.links.some(({ target }) => ids.has(target))) return record
  const isKept = (_: unknown, i: number) => !ids.has(record.links[i]?.target ?? '')
  const links = record.links.filter(isKept)
  if (before === undefined) return { ...rest, links }
  return decidedAs({ ...rest, links }, { ...before, bears: before.bears.filter(isKept) })
}
