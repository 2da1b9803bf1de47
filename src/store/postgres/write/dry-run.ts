import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import { ofDryRun, Recorder } from '../../../domain/events/recording.js'
import type { GraphId, NewMemory, Receipt } from '../../../domain/model.js'
import type { EventPath } from '../../store.js'
import type { Session } from '../connection/session.js'
import { graphOrNew } from '../schema/graph-row.js'
import { ClaimsSoFar } from '../trust/claims-so-far.js'
import { receiptOf } from './append.js'
import { loadGraphSoFar } from './graph-so-far.js'

/** What recording an event in the graph of a snapshot would be answered with; only reads. */
export async function dryRun(
  session: Session,
  graphId: GraphId,
  event: NewMemory,
  at: EventPath,
  clockAndRandom: ClockAndRandom,
): Promise<Receipt> {
  const graph = await graphOrNew(session, graphId)
  const { soFar, contentOf } = await loadGraphSoFar(session, graphId, graph, [event])
  const recorder = new Recorder(soFar, contentOf, clockAndRandom)
  recorder.refuse(event, at(0))
  const { record } = recorder.record(event)
  const claims = await ClaimsSoFar.load(session, graphId, graph.last_seq, [record])
  return ofDryRun(receiptOf(await claims.record(record), claims))
}
