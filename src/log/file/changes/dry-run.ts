import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import { ofDryRun, Recorder } from '../../../domain/events/recording.js'
import { contentOf } from '../../../domain/events/same-event.js'
import type { NewMemory, Receipt } from '../../../domain/model.js'
import { decideNext } from '../../../graph/deciding.js'
import type { Graph } from '../../../graph/graph.js'
import { changesBy, receiptOf } from '../../../graph/views.js'
import type { EventPath } from '../../../store/store.js'

/** What recording an event in the graph as it is would be answered with; nothing is kept. */
export async function dryRun(
  graph: Graph,
  event: NewMemory,
  at: EventPath,
  clockAndRandom: ClockAndRandom,
): Promise<Receipt> {
  await graph.indexes.knowsContents()
  const recorder = new Recorder(graph, contentOf, clockAndRandom)
  recorder.refuse(event, at(0))
  const record = await decideNext(graph, recorder.record(event).record)
  const contextId = record.op === 'recorded' ? record.context : graph.rows.get(record.id).context.id
  return ofDryRun(receiptOf(record, { claims: changesBy(record, contextId, graph.claims) }))
}
