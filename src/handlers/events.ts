import { depthOf } from '../domain/depth.js'
import { Failure } from '../domain/failure.js'
import { isMemoryId } from '../domain/ids.js'
import { LINK_FIELDS } from '../domain/links.js'
import { type JsonObject, LINK_KINDS, type Link, type NewMemory, type Receipt } from '../domain/model.js'
import { contextId, foldContextId } from '../domain/names.js'
import { parseTimestamp } from '../domain/time.js'
import type { components } from '../generated/api.js'
import type { Handlers, Input } from '../http/operations.js'
import { created, ok } from '../http/reply.js'
import type { Store } from '../store/store.js'

export const MAX_PAYLOAD_BYTES = 65_536
export const MAX_PAYLOAD_DEPTH = 32
export const MAX_LINKS = 100

type WireEvent = Omit<Input<'recordEvent'>['body'], 'graph_id'>
type WireReceipt = components['schemas']['RecordedEvent']

export function eventHandlers(store: Store) {
  return {
    async recordEvent({ body }) {
      const at = () => '/body'
      const [receipt] = await store.append(body.graph_id, [toNewMemory(body, '/body')], at)
      if (receipt === undefined) throw new Error('The store gave no receipt for an event.')
      return receipt.status === 'duplicate' ? ok(fromReceipt(receipt)) : created(fromReceipt(receipt))
    },

    async recordEvents({ body }) {
      const at = (index: number) => `/body/events/${index}`
      const events = body.events.map((event, index) => toNewMemory(event, at(index)))
      const receipts = await store.append(body.graph_id, events, at)
      return created({ results: receipts.map(fromReceipt) })
    },
  } satisfies Pick<Handlers, 'recordEvent' | 'recordEvents'>
}

function toNewMemory(event: WireEvent, path: string): NewMemory {
  refuseLargePayload(event.payload, `${path}/payload`)
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

function toLinks(event: WireEvent, path: string): Link[] {
  const links = LINK_KINDS.flatMap((kind) => {
    const field = LINK_FIELDS[kind]
    return (event[field] ?? []).map((target, i) => ({
      kind,
      target: isMemoryId(target) ? target : foldContextId(target, `${path}/${field}/${i}`),
    }))
  })
  if (links.length > MAX_LINKS) {
    const message = `has ${links.length} links; one event states at most ${MAX_LINKS}`
    throw new Failure('invalid_event', `The event ${message}.`, { errors: [{ path, message }] })
  }
  return links
}

function refuseLargePayload(payload: JsonObject, path: string): void {
  if (depthOf(payload, MAX_PAYLOAD_DEPTH) > MAX_PAYLOAD_DEPTH) {
    const message = `must be at most ${MAX_PAYLOAD_DEPTH} levels deep`
    throw new Failure('invalid_event', `The payload ${message}.`, { errors: [{ path, message }] })
  }
  const bytes = Buffer.byteLength(JSON.stringify(payload))
  if (bytes > MAX_PAYLOAD_BYTES)
    throw new Failure(
      'content_too_large',
      `The payload has ${bytes} bytes; at most ${MAX_PAYLOAD_BYTES} are allowed. Split it into several events.`,
      { errors: [{ path, message: `must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON` }] },
    )
}

function fromReceipt(receipt: Receipt): WireReceipt {
  return {
    event_id: receipt.memoryId,
    context_id: receipt.contextId,
    status: receipt.status,
    confidence: receipt.confidence,
  }
}
