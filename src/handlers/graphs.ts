import { createHash } from 'node:crypto'
import type { components } from '../contract/generated/api.js'
import type { Handlers } from '../contract/operations.js'
import { created, ok } from '../contract/reply.js'
import type { PastEvent } from '../domain/events/recording.js'
import { type Reach, refuseSource } from '../domain/keys.js'
import type { GraphId } from '../domain/model.js'
import type { AsOf } from '../domain/time.js'
import { decodeExport, lineOf } from '../domain/transfer/decode.js'
import { encodeExport } from '../domain/transfer/encode.js'
import { namingLine } from '../domain/transfer/invalid-line.js'
import { linesOf } from '../domain/transfer/lines.js'
import type { Store } from '../store/store.js'
import type { Erase } from './erasure.js'
import type { HandlerPorts } from './ports.js'
import { envelope, toAsOf, toPaging } from './wire.js'

export function graphHandlers(
  store: Store,
  { lines, audit, now }: Pick<HandlerPorts, 'lines' | 'audit' | 'now'>,
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

    async exportGraph({ path, query }) {
      return ok(await exportOf(store, path.graph_id, toAsOf(query.as_of, '/query/as_of')))
    },

    async importGraph({ path: { graph_id }, body }, caller) {
      const at = (index: number) => `/body/${lineOf(index)}`
      const events = allowed(
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
  } satisfies Pick<Handlers, 'listGraphs' | 'deleteGraph' | 'exportGraph' | 'importGraph'>
}

function fromGraph(graph_id: GraphId, unread = 0): components['schemas']['GraphSummary'] {
  return { graph_id, ...(unread > 0 && { unread }) }
}

/** Ends where an event is of a source that the caller may not record as. */
async function* allowed(
  batches: AsyncIterable<readonly PastEvent[]>,
  reach: Reach,
  at: (index: number) => string,
): AsyncGenerator<readonly PastEvent[]> {
  let index = 0
  for await (const events of batches) {
    for (const { source } of events) refuseSource(reach, source, at(index++))
    yield events
  }
}

/** The text of an export, some lines at a time. */
export async function exportOf(store: Store, graphId: GraphId, asOf?: AsOf): Promise<AsyncIterable<string>> {
  const { latestAt, events } = await store.exportGraph(graphId, asOf)
  const exportedAt = latestAt ?? new Date(0).toISOString()
  return encodeExport({ graphId, exportedAt, events }, createHash('sha256'))
}
