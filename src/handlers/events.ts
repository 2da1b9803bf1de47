import type { components } from '../contract/generated/api.js'
import type { Caller, Handlers, Input } from '../contract/operations.js'
import { created, ok } from '../contract/reply.js'
import { checkPayload, refuseSayingNothing, toLinks } from '../domain/events/event.js'
import { Failure } from '../domain/failure.js'
import type { EnginePorts } from '../domain/insight/engine.js'
import { type Similar, similarTo } from '../domain/judgement/similar.js'
import { refuseSource } from '../domain/keys.js'
import type { NewMemory, Receipt } from '../domain/model.js'
import { contextId, foldContextId } from '../domain/names.js'
import { parseTimestamp } from '../domain/time.js'
import type { Store } from '../store/store.js'
import { asking } from './asking.js'
import { inTurns } from './in-turns.js'
import { toIdempotency } from './wire.js'

type WireEvent = Omit<Input<'recordEvent'>['body'], 'graph_id' | 'similar'>
type WireReceipt = components['schemas']['RecordedEvent']

export function eventHandlers(store: Store, engine: EnginePorts) {
  const ask = asking(store, engine)
  return {
    async recordEvent({ body, headers }, caller) {
      const at = () => '/body'
      const once = await toIdempotency('recordEvent', caller, headers, body)
      const event = toNewMemory(body, '/body', caller)
      const isSimilarWanted = body.similar !== false && once === undefined
      const reading = isSimilarWanted ? ask.event(event) : undefined
      const [receipt] = await store.append(body.graph_id, [event], at, once)
      if (receipt === undefined) throw new Error('The store gave no receipt for an event.')
      const except = new Set([receipt.memoryId, ...receipt.bearsOn.map(({ memoryId }) => memoryId)])
      // The event is recorded by now, so a graph that was erased since, or a store that cannot read, is no refusal of it.
      // Nor can it be looked for once more when an Idempotency-Key asks for the first answer again.
      const vector = await reading
      const similar = isSimilarWanted
        ? await store
            .read(body.graph_id, (graph) => similarTo(graph, event, except, vector))
            .catch(unlessOurMistake)
        : undefined
      const answer = { ...fromReceipt(receipt), ...(similar && { similar: similar.map(fromSimilar) }) }
      return receipt.status === 'duplicate' ? ok(answer) : created(answer)
    },

    async recordEvents({ body, headers }, caller) {
      const at = (index: number) => `/body/events/${index}`
      const events: NewMemory[] = []
      await inTurns(body.events, (event, index) => events.push(toNewMemory(event, at(index), caller)))
      const once = await toIdempotency('recordEvents', caller, headers, body)
      const receipts = await store.append(body.graph_id, events, at, once)
      return created({ results: receipts.map(fromReceipt) })
    },
  } satisfies Pick<Handlers, 'recordEvent' | 'recordEvents'>
}

function unlessOurMistake(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

function toNewMemory(event: WireEvent, path: string, { principal }: Caller): NewMemory {
  const source = event.source ?? 'agent'
  refuseSource(principal, source, path)
  checkPayload(event.payload, `${path}/payload`)
  refuseSayingNothing(event.payload, `${path}/payload`)
  return {
    contextId:
      event.context_id === undefined
        ? contextId(event.event_kind, 'general')
        : foldContextId(event.context_id, `${path}/context_id`),
    eventKind: event.event_kind,
    source,
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
    bears_on: receipt.bearsOn.map(({ memoryId, contextId, effect }) => ({
      memory_id: memoryId,
      context_id: contextId,
      effect,
    })),
  }
}

function fromSimilar({ memory, likeness }: Similar): components['schemas']['SimilarMemory'] {
  return {
    memory_id: memory.memoryId,
    context_id: memory.contextId,
    text: memory.text,
    likeness: Math.round(likeness * 10_000) / 10_000,
  }
}
