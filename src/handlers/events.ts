import type { components } from '../contract/generated/api.js'
import type { Handlers, Input } from '../contract/operations.js'
import { created, ok } from '../contract/reply.js'
import { checkPayload, toLinks } from '../domain/events/event.js'
import type { NewMemory, Receipt } from '../domain/model.js'
import { contextId, foldContextId } from '../domain/names.js'
import { parseTimestamp } from '../domain/time.js'
import type { Store } from '../store/store.js'
import { toIdempotency } from './wire.js'

type WireEvent = Omit<Input<'recordEvent'>['body'], 'graph_id'>
type WireReceipt = components['schemas']['RecordedEvent']

export function eventHandlers(store: Store) {
  return {
    async recordEvent({ body, headers }, caller) {
      const at = () => '/body'
      const once = toIdempotency('recordEvent', caller, headers, body)
      const [receipt] = await store.append(body.graph_id, [toNewMemory(body, '/body')], at, once)
      if (receipt === undefined) throw new Error('The store gave no receipt for an event.')
      return receipt.status === 'duplicate' ? ok(fromReceipt(receipt)) : created(fromReceipt(receipt))
    },

    async recordEvents({ body, headers }, caller) {
      const at = (index: number) => `/body/events/${index}`
      const events = body.events.map((event, index) => toNewMemory(event, at(index)))
      const receipts = await store.append(
        body.graph_id,
        events,
        at,
        toIdempotency('recordEvents', caller, headers, body),
      )
      return created({ results: receipts.map(fromReceipt) })
    },
  } satisfies Pick<Handlers, 'recordEvent' | 'recordEvents'>
}

function toNewMemory(event: WireEvent, path: string): NewMemory {
  checkPayload(event.payload, `${path}/payload`)
  return {
    contextId:
      event.context_id === undefined
        ? contextId(event.event_kind, 'general')
        : foldContextId(event.context_id, `${path}/context_id`),
    eventKind: event.event_kind,
    source: event.source ?? 'agent',
    payload: event.payload,
    links: toLinks(event, path),
    ...(event.timestamp !== undefined && {
      occurredAt: parseTimestamp(event.timestamp, `${path}/timestamp`),
    }),
  }
}

function fromReceipt(receipt: Receipt): WireReceipt {
  return {
    event_id: receipt.memoryId,
    context_id: receipt.contextId,
    status: receipt.status,
    confidence: receipt.confidence,
  }
}
