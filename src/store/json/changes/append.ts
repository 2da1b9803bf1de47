import { Recorder } from '../../../domain/events/recording.js'
import { type Content, contentOf } from '../../../domain/events/same-event.js'
import { refuseBothWays } from '../../../domain/trust/decide/refuse.js'
import type { Append, Outcome } from '../../group-commit.js'
import type { EventRecord } from '../../records.js'
import { toFailure } from '../disk/errors.js'
import type { GraphPorts } from '../graph-files/ports.js'
import type { Group } from '../log/frame.js'
import { Deciding } from '../memory/deciding.js'
import { applyRecords, type OpenGraph } from '../open-graph/open-graph.js'

interface Drafted {
  /** That of each record. */
  readonly contents: readonly Content[]
  readonly group: Group<EventRecord>
}

/** Records several appends with one flush, in order; each is recorded as a whole or refused as a whole. */
export async function appendAll(
  openGraph: OpenGraph,
  appends: readonly Append[],
  ports: GraphPorts,
): Promise<Outcome[]> {
  const recorder = new Recorder(openGraph.graph, contentOf, ports.clockAndRandom)
  const deciding = new Deciding(openGraph.graph)
  const drafted = appends.map((append) => draftOf(append, recorder, deciding, ports))
  const groups = drafted.flatMap((one) => ('group' in one ? one.group : []))
  try {
    if (groups.length > 0) await openGraph.writer.append(groups)
  } catch (cause) {
    ports.failed(cause)
    const error = toFailure(cause)
    return drafted.map((one) => ('group' in one ? { error } : one))
  }
  return drafted.map((one) =>
    'group' in one ? { receipts: applyRecords(openGraph, one.group, one.contents) } : one,
  )
}

function draftOf(
  { events, at, once }: Append,
  recorder: Recorder<Content>,
  deciding: Deciding,
  { clockAndRandom, refuseUnlessWritable }: GraphPorts,
): Drafted | { readonly error: unknown } {
  try {
    refuseUnlessWritable()
    events.forEach(({ links }, i) => {
      refuseBothWays(links, at(i))
    })
    const drafts = recorder.recordAll(events, at)
    const records = deciding.decideAll(drafts.map(({ record }) => record))
    const contents = drafts.map(({ content }) => content)
    const kept = once && { once: { ...once, at: clockAndRandom.now().toISOString() } }
    return { contents, group: { records, ...kept } }
  } catch (error) {
    return { error }
  }
}
