import { createHash } from 'node:crypto'
import type { components } from '../contract/generated/api.js'
import { type Caller, created, type Handlers, ok } from '../contract/operations.js'
import type { PastEvent } from '../domain/events/recording.js'
import { isAdmin, type Reach, refuseRecorder, refuseSource } from '../domain/keys.js'
import type { GraphId } from '../domain/model.js'
import { decodeExport, lineOf } from '../domain/transfer/decode.js'
import { encodeExport } from '../domain/transfer/encode.js'
import { linesOf, namingLine } from '../domain/transfer/lines.js'
import type { Store } from '../store/store.js'
import type { Erase } from './erasure.js'
import { checkReached, feedOf, HEARTBEAT_MS } from './feed.js'
import type { HandlerPorts } from './ports.js'
import { envelope, toAsOf, toPaging } from './wire.js'

export function graphHandlers(
  store: Store,
  { lines, audit, now, heartbeatMs = HEARTBEAT_MS }: HandlerPorts,
  erase: Erase,
) {
  return {
    async listGraphs({ query }, { principal }) {
      const graphs = await store.graphs(principal.graphs, toPaging(query))
      const unread = await store.unread(graphs.items)
      return ok({ graphs: graphs.items.map((id) => fromGraph(id, unread.get(id))), ...envelope(graphs) })
    },

    async deleteGraph({ path, query }, caller) {
      return ok(await erase(path.graph_id, { everything: true }, query, caller))
    },

    async exportGraph({ path, query }, caller) {
      const asOf = toAsOf(query.as_of, '/query/as_of')
      const part = { ...(query.after !== undefined && { after: query.after }), ...(asOf && { asOf }) }
      const { latestAt, events } = await store.exportGraph(path.graph_id, part)
      const graph = {
        graphId: path.graph_id,
        exportedAt: latestAt ?? new Date(0).toISOString(),
        after: query.after ?? 0,
        events: mapBatches(events, redactorFor(caller)),
      }
      return ok(encodeExport(graph, createHash('sha256')))
    },

    async followGraph({ path: { graph_id: graphId }, query, headers }, caller) {
      const last = headers['last-event-id']
      const after = last === undefined ? (query.after ?? 0) : Number(last)
      const following = await store.follow(graphId)
      try {
        checkReached(after, following, last === undefined ? '/query/after' : '/headers/last-event-id')
      } catch (error) {
        following.close()
        throw error
      }
      return ok(feedOf(store, { graphId, following, after, heartbeatMs, redact: redactorFor(caller) }))
    },

    async importGraph({ path: { graph_id }, body }, caller) {
      const at = (index: number) => `/body/${lineOf(index)}`
      const events = checkRecorders(
        decodeExport(linesOf(body), lines, createHash('sha256'), now()),
        caller.principal,
        at,
      )
      const imported = await store.importGraph(graph_id, events, at).catch((error: unknown) => {
        throw namingLine(error)
      })
      audit(caller, { imported: graph_id, ...imported })
      return created({ graph_id, ...imported })
    },
  } satisfies Pick<Handlers, 'listGraphs' | 'deleteGraph' | 'exportGraph' | 'followGraph' | 'importGraph'>
}

function fromGraph(graph_id: GraphId, unread = 0): components['schemas']['GraphSummary'] {
  return { graph_id, ...(unread > 0 && { unread }) }
}

/** Only admins may see which key recorded an event. */
function redactorFor({ principal }: Caller): (event: PastEvent) => PastEvent {
  if (isAdmin(principal)) return (event) => event
  return ({ recordedBy: _recordedBy, ...event }) => event
}

/** Throws at the first event with a source or a key that the caller may not record as. */
async function* checkRecorders(
  batches: AsyncIterable<readonly PastEvent[]>,
  reach: Reach,
  at: (index: number) => string,
): AsyncGenerator<readonly PastEvent[]> {
  let index = 0
  for await (const events of batches) {
    for (const { source, recordedBy } of events) {
      const path = at(index++)
      refuseSource(reach, source, path)
      if (recordedBy !== undefined) refuseRecorder(reach, path)
    }
    yield events
  }
}

async function* mapBatches<T>(
  batches: AsyncIterable<readonly T[]>,
  map: (item: T) => T,
): AsyncGenerator<readonly T[]> {
  for await (const items of batches) yield items.map(map)
}
