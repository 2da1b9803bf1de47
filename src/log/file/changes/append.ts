import { type Draft, Recorder } from '../../../domain/events/recording.js'
import { type Content, contentOf } from '../../../domain/events/same-event.js'
import { Deciding } from '../../../graph/deciding.js'
import type { Graph } from '../../../graph/graph.js'
import type { EventRecord } from '../../../graph/records.js'
import type { Prepared } from '../../../graph/search/duplicate-index.js'
import { createYielding } from '../../../loop/yielding.js'
import type { Append, Outcome } from '../../group-commit.js'
import { toFailure } from '../disk/errors.js'
import type { GraphPorts } from '../graph-files/ports.js'
import type { Group } from '../log/frame.js'
import { applyRecords, type OpenGraph } from '../open-graph/open-graph.js'

interface Drafted {
  /** That of each record. */
  readonly contents: readonly Content[]
  readonly group: Group<EventRecord>
}

type Yielding = () => Promise<void> | undefined

/**
 * Records several appends with one flush, in order; each is recorded as a whole or refused as a whole. What can be done
 * before the first record is applied is done before; while all are applied, questions wait (`Whole`), so that nobody sees a
 * part of them.
 */
export async function appendAll(
  openGraph: OpenGraph,
  appends: readonly Append[],
  ports: GraphPorts,
): Promise<Outcome[]> {
  const { graph } = openGraph
  await graph.indexes.knowsContents()
  const recorder = new Recorder(graph, contentOf, ports.clockAndRandom)
  const deciding = new Deciding(graph)
  const yielding = createYielding()
  const drafted: (Drafted | { readonly error: unknown })[] = []
  for (const append of appends) drafted.push(await draftOf(append, recorder, deciding, ports, yielding))
  const groups = drafted.flatMap((one) => ('group' in one ? one.group : []))
  try {
    if (groups.length > 0) await openGraph.writer.append(groups)
  } catch (cause) {
    ports.failed(cause)
    const error = toFailure(cause)
    return drafted.map((one) => ('group' in one ? { error } : one))
  }
  const prepared: (readonly Prepared[])[] = []
  for (const one of drafted) prepared.push('group' in one ? await prepareAll(one, graph, yielding) : [])
  return openGraph.whole.during(async () => {
    const outcomes: Outcome[] = []
    for (const [i, one] of drafted.entries())
      if ('error' in one) outcomes.push(one)
      else outcomes.push({ receipts: await applyRecords(openGraph, one.group, prepared[i] ?? [], yielding) })
    return outcomes
  })
}

async function draftOf(
  { events, at, once }: Append,
  recorder: Recorder<Content>,
  deciding: Deciding,
  { clockAndRandom, refuseUnlessWritable }: GraphPorts,
  yielding: Yielding,
): Promise<Drafted | { readonly error: unknown }> {
  try {
    refuseUnlessWritable()
    for (const [i, event] of events.entries()) {
      recorder.refuse(event, at(i))
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    const drafts: Draft<Content>[] = []
    for (const event of events) {
      drafts.push(recorder.record(event))
      const turn = yielding()
      if (turn !== undefined) await turn
    }
    const records = await deciding.decideAll(
      drafts.map(({ record }) => record),
      yielding,
    )
    const contents = drafts.map(({ content }) => content)
    const kept = once && { once: { ...once, at: clockAndRandom.now().toISOString() } }
    return { contents, group: { records, ...kept } }
  } catch (error) {
    return { error }
  }
}

async function prepareAll(
  { contents, group }: Drafted,
  graph: Graph,
  yielding: Yielding,
): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = []
  for (const [i, content] of contents.entries()) {
    const record = group.records[i]
    prepared.push(record === undefined ? content : graph.prepare(record, content))
    const turn = yielding()
    if (turn !== undefined) await turn
  }
  return prepared
}
