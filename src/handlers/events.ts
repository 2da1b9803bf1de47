import type { components } from '../contract/generated/api.js'
import { type Caller, created, type Handlers, type Input, ok } from '../contract/operations.js'
import { checkPayload, refuseEndedBefore, refuseSayingNothing, toLinks } from '../domain/events/event.js'
import { Failure } from '../domain/failure.js'
import { type Similar, similarTo } from '../domain/judgement/similar.js'
import { mayRead, type Reach, refuseSource } from '../domain/keys.js'
import { writtenLink } from '../domain/links.js'
import type { Bearing, GraphId, Link, MemoryId, NewMemory, Receipt, UnresolvedLink } from '../domain/model.js'
import { contextId, foldContextId } from '../domain/names.js'
import { parseEnd, parseStart } from '../domain/time.js'
import type { Idempotency, Store } from '../store/store.js'
import { type AnswerPorts, textEmbedder } from './asking.js'
import type { HandlerPorts } from './ports.js'
import { inTurns, toIdempotency } from './wire.js'

type WireEvent = Omit<Input<'recordEvent'>['body'], 'graph_id' | 'similar' | 'dry_run'>
type WireReceipt = components['schemas']['RecordedEvent']

export function eventHandlers(store: Store, engine: AnswerPorts, { now }: Pick<HandlerPorts, 'now'>) {
  const embed = textEmbedder(store, engine)
  const { texts } = engine

  /** Without the memory of the event, and the memories that it bears on. */
  async function similarOf(
    graphId: GraphId,
    event: NewMemory,
    { memoryId, bearsOn }: Receipt,
    reading: Promise<Int8Array | undefined>,
  ): Promise<Similar[]> {
    const vector = await reading
    const known = new Set([memoryId, ...bearsOn.map((bearing) => bearing.memoryId)])
    return store.read(graphId, async (graph) => similarTo(graph, event, known, { vector, texts }))
  }

  /** The texts of the candidates for unresolved links. Memories erased since are left out. */
  async function textsOf(
    graphId: GraphId,
    receipts: readonly Receipt[],
    { principal }: Pick<Caller, 'principal'>,
  ): Promise<ReadonlyMap<MemoryId, string>> {
    const unresolved = receipts.flatMap((receipt) => receipt.unresolved ?? [])
    const ids = unresolved.flatMap(({ candidates }) => candidates.map(({ memoryId }) => memoryId))
    if (ids.length === 0 || !mayRead(principal)) return new Map()
    const memories = await store
      .read(graphId, async (graph) => graph.memories([...new Set(ids)]))
      .catch(ignoreFailure)
    return new Map(memories?.map(({ memoryId, text }) => [memoryId, text]))
  }

  return {
    async recordEvent({ body, headers }, caller) {
      const at = () => '/body'
      const once = await toIdempotency('recordEvent', caller, headers, body)
      const event = toNewMemory(body, '/body', caller, now())
      const isDry = body.dry_run === true
      if (isDry) refuseIdempotentDryRun(once)
      const isSimilarWanted = body.similar === true && mayRead(caller.principal)
      const reading = isSimilarWanted ? embed.event(body.graph_id, event) : undefined
      const [receipt] = isDry
        ? [await store.dryRun(body.graph_id, event, at)]
        : await store.append(body.graph_id, [event], at, once)
      if (receipt === undefined) throw new Error('The store gave no receipt for an event.')
      // Once the event is recorded, a failure to read, such as of an erased graph, must not fail the request.
      const otherwise = isDry ? noneWithoutGraph : ignoreFailure
      const similar = await (reading && similarOf(body.graph_id, event, receipt, reading).catch(otherwise))
      const candidates = await textsOf(body.graph_id, [receipt], caller)
      const answer = {
        ...fromReceipt(receipt, event, caller.principal, candidates),
        ...(similar && { similar: similar.map(fromSimilar) }),
        ...(isDry && { dry_run: true }),
      }
      return isDry || receipt.status === 'duplicate' ? ok(answer) : created(answer)
    },

    async recordEvents({ body, headers }, caller) {
      const at = (index: number) => `/body/events/${index}`
      const time = now()
      const events: NewMemory[] = []
      await inTurns(body.events, (event, index) => events.push(toNewMemory(event, at(index), caller, time)))
      const once = await toIdempotency('recordEvents', caller, headers, body)
      const receipts = await store.append(body.graph_id, events, at, once)
      const candidates = await textsOf(body.graph_id, receipts, caller)
      const results = receipts.map((receipt, i) =>
        fromReceipt(receipt, events[i], caller.principal, candidates),
      )
      return created({ results })
    },
  } satisfies Pick<Handlers, 'recordEvent' | 'recordEvents'>
}

function refuseIdempotentDryRun(once: Idempotency | undefined): void {
  if (once === undefined) return
  const message = 'must not be true with an Idempotency-Key: nothing is recorded that could be answered again'
  throw new Failure('invalid_event', 'A dry run has no Idempotency-Key. Leave out one of the two.', {
    errors: [{ path: '/body/dry_run', message }],
  })
}

function noneWithoutGraph(error: unknown): Similar[] {
  if (!(error instanceof Failure && error.code === 'graph_not_found')) throw error
  return []
}

function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

function toNewMemory(event: WireEvent, path: string, { principal }: Caller, now: Date): NewMemory {
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
    ...timesOf(event, path, now),
    recordedBy: principal.keyId,
  }
}

/** The times of an event. `valid_until` must be after the start, which defaults to now. */
function timesOf(
  { timestamp, valid_from, valid_until }: WireEvent,
  path: string,
  now: Date,
): Pick<NewMemory, 'occurredAt' | 'validFrom' | 'validUntil'> {
  const present = now.toISOString()
  const start = (raw: string | undefined, field: string) =>
    raw === undefined ? undefined : parseStart(raw, `${path}/${field}`, present)
  const occurredAt = start(timestamp, 'timestamp')
  const isFromNow = valid_from !== undefined && occurredAt !== undefined
  const validFrom = start(valid_from, 'valid_from') ?? (isFromNow ? present : undefined)
  const begins = {
    ...(occurredAt !== undefined && { occurredAt }),
    ...(validFrom !== undefined && { validFrom }),
  }
  if (valid_until === undefined) return begins
  const validUntil = parseEnd(valid_until, `${path}/valid_until`)
  refuseEndedBefore({ occurredAt: present, ...begins }, validUntil, `${path}/valid_until`)
  return { ...begins, validUntil }
}

function fromReceipt(
  receipt: Receipt,
  event: Pick<NewMemory, 'links'> | undefined,
  reach: Reach,
  texts: ReadonlyMap<MemoryId, string>,
): WireReceipt {
  return {
    event_id: receipt.memoryId,
    context_id: receipt.contextId,
    status: receipt.status,
    ...(receipt.place !== undefined && { place: receipt.place }),
    confidence: receipt.confidence,
    bears_on: mayRead(reach) ? receipt.bearsOn.map(fromBearing) : onlyNamed(receipt, event?.links ?? []),
    ...(receipt.unresolved !== undefined && {
      unresolved: receipt.unresolved.map((one) => fromUnresolved(one, texts)),
    }),
  }
}

/** The maximum length of a link in the contract. */
const MAX_LINK_LENGTH = 490

/** A key without the scope `read` gets no candidates: `texts` is empty for it. */
function fromUnresolved(
  { path, target, candidates }: UnresolvedLink,
  texts: ReadonlyMap<MemoryId, string>,
): components['schemas']['UnresolvedLink'] {
  return {
    path,
    target,
    candidates: candidates.flatMap(({ memoryId, field }) => {
      const text = texts.get(memoryId)
      if (text === undefined) return []
      const send = field && writtenLink({ target: memoryId, field })
      // The name of the field may make the link too long.
      if (!send || send.length > MAX_LINK_LENGTH) return { memory_id: memoryId, send: memoryId, text }
      return { memory_id: memoryId, field, send, text }
    }),
  }
}

/** For keys without the scope `read`: only memories that the event itself names, without their contexts. */
function onlyNamed({ bearsOn }: Receipt, links: readonly Link[]): components['schemas']['RecordedBearing'][] {
  const named = new Set(links.map(({ target }) => target))
  return bearsOn.flatMap(({ memoryId, effect, rule }) =>
    named.has(memoryId) ? [{ memory_id: memoryId, effect, ...(rule !== undefined && { rule }) }] : [],
  )
}

export function fromBearing(bearing: Bearing): components['schemas']['Bearing'] {
  const { memoryId, contextId, effect, rule, fields, standing } = bearing
  return {
    memory_id: memoryId,
    context_id: contextId,
    effect,
    ...(rule !== undefined && { rule }),
    ...(fields !== undefined && { fields: [...fields] }),
    ...(standing !== undefined && { standing: [...standing] }),
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
