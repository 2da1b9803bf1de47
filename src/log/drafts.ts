import { Recorder } from '../domain/events/recording.js'
import { type Content, contentOf } from '../domain/events/same-event.js'
import type { Receipt } from '../domain/model.js'
import { Deciding } from '../graph/deciding.js'
import type { Graph } from '../graph/graph.js'
import type { Prepared } from '../graph/search/duplicate-index.js'
import type { Turn } from '../loop/yielding.js'
import type { Copy, CopyPorts } from './copy.js'
import type { Entry } from './entries.js'
import type { Append } from './group-commit.js'

/** The result of deciding an append: an entry to write, the receipts of an earlier identical write, or an error. */
export type Draft =
  | { readonly entry: Entry; readonly contents: readonly Prepared[]; readonly receipts: readonly Receipt[] }
  | { readonly receipts: readonly Receipt[] }
  | { readonly error: unknown }

/**
 * Decides several appends in order, each on top of those before it, in slices. Does not change the graph, which happens once
 * the entries are durable.
 */
export async function draftAll(
  { graph, idempotency }: Copy,
  appends: readonly Append[],
  { clockAndRandom }: Pick<CopyPorts, 'clockAndRandom'>,
  yielding: Turn,
): Promise<readonly Draft[]> {
  await graph.indexes.hashContents()
  const recorder = new Recorder(graph, contentOf, clockAndRandom)
  const deciding = new Deciding(graph)
  let position = graph.lastSeq + 1
  const drafts: Draft[] = []
  for (const append of appends) {
    try {
      const known = append.once && idempotency.find(append.once)
      if (known !== undefined) {
        drafts.push({ receipts: known })
        continue
      }
      const { records, contents, receipts } = await decideAppend(append, graph, recorder, deciding, yielding)
      const once = append.once && { ...append.once, at: clockAndRandom.now().toISOString(), receipts }
      const entry = { position, count: records.length, records, ...(once && { once }) }
      drafts.push({ entry, contents, receipts })
      position += records.length
    } catch (error) {
      drafts.push({ error })
    }
  }
  return drafts
}

async function decideAppend(
  { events, at }: Append,
  graph: Graph,
  recorder: Recorder<Content>,
  deciding: Deciding,
  yielding: Turn,
) {
  for (const [i, event] of events.entries()) {
    recorder.refuse(event, at(i))
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  const drafts = []
  for (const event of events) {
    drafts.push(recorder.record(event))
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  const all = await deciding.decideAll(
    drafts.map(({ record }) => record),
    yielding,
  )
  const contents: Prepared[] = []
  for (const { record, content } of drafts) {
    contents.push(graph.prepare(record, content))
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  return {
    records: all.map(({ record }) => record),
    receipts: all.map(({ receipt }) => receipt),
    contents,
  }
}
