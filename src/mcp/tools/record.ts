import { createHash } from 'node:crypto'
import type { components, LoregraphClient } from '../../client/index.js'
import { shortened } from '../../domain/brief/shorten.js'
import { canonicalJson } from '../../domain/events/same-event.js'
import type { Json } from '../../domain/model.js'
import { type Asking, dataOf, Refused, type Told } from './asking.js'

type Schemas = components['schemas']
type Event = Schemas['Event']
type Receipt = Schemas['RecordedEvent']
type Time = 'timestamp' | 'valid_from' | 'valid_until'
type Link = 'reinforces' | 'extends' | 'contradicts' | 'related_to'

interface One extends Partial<Pick<Event, 'context_id' | 'event_kind' | 'payload' | Time | Link>> {
  readonly text?: string
}

interface RecordArguments extends One {
  /** Several at once; what is said beside them is said of each. */
  readonly records?: readonly One[]
}

const QUOTED_CHARS = 200
/** The memories that an event bears on are looked up to be quoted, but for those beyond the first few. */
const MAX_QUOTED = 5
/** Who records the same more often in a day, and erases it each time, is told that the key is used. */
const MAX_ERASED = 10

/**
 * Records what was learned, once: the same arguments again within a day, as when a host tries again, change nothing. What
 * is similar is looked for first, by a dry run, since an answer that can be given again does not tell it.
 */
export async function record({ client, graph }: Asking, given: RecordArguments): Promise<Told> {
  const { records = [], ...one } = given
  const graph_id = await graph()
  if (records.length > 0) return recordAll(client, graph_id, records, one)
  const event = toEvent(one, graph_id)
  const trial = await dataOf(client.POST('/v1/events', { body: { ...event, similar: true, dry_run: true } }))
  const receipt = await once(await saidOf(client, event, trial), (params) =>
    client.POST('/v1/events', { params, body: event }),
  )
  const { text, result } = await describe(client, event, receipt, trial.similar)
  return { text, data: { results: [result] } }
}

/** All or none: each is tried first, so that a mistake is told with its place. */
async function recordAll(
  client: LoregraphClient,
  graph_id: string,
  records: readonly One[],
  shared: One,
): Promise<Told> {
  if (shared.text !== undefined || shared.payload !== undefined)
    throw new Refused('Give one record as text or payload, or several as records: not both.')
  const tried = await Promise.all(
    records.map((own, i) => tryOne(client, graph_id, { ...shared, ...own }).catch(inRecord(i))),
  )
  const events = tried.map(({ event: { graph_id: _, ...event } }) => event)
  const { results } = await once(tried.map(({ said }) => said).join('\n'), (params) =>
    client.POST('/v1/events/batch', { params, body: { graph_id, events } }),
  )
  const all = await Promise.all(
    tried.flatMap(({ event }, i) =>
      results.slice(i, i + 1).map((receipt) => describe(client, event, receipt)),
    ),
  )
  return { text: all.map(({ text }) => text).join(''), data: { results: all.map(({ result }) => result) } }
}

async function tryOne(client: LoregraphClient, graph_id: string, one: One) {
  const event = toEvent(one, graph_id)
  const trial = await dataOf(client.POST('/v1/events', { body: { ...event, dry_run: true } }))
  return { event, said: await saidOf(client, event, trial) }
}

function inRecord(i: number) {
  return (error: unknown): never => {
    if (!(error instanceof Refused)) throw error
    throw new Refused(`records/${i}: ${error.message} Nothing was recorded.`, { cause: error })
  }
}

/** What was recorded, with the words of the memories that it bears on. */
async function describe(
  client: LoregraphClient,
  event: Event,
  receipt: Receipt,
  similar?: readonly Schemas['SimilarMemory'][],
) {
  const quoted = await Promise.all(
    receipt.bears_on.slice(0, MAX_QUOTED).map(({ memory_id }) => textOf(client, event.graph_id, memory_id)),
  )
  const { event_id, context_id, status, confidence, unresolved } = receipt
  const result = {
    ...{ event_id, context_id, status, confidence, event_kind: event.event_kind },
    bears_on: receipt.bears_on.map((it, i) => ({ ...it, ...(quoted[i] && { text: quoted[i] }) })),
    ...(unresolved && {
      unresolved: unresolved.map((link) => ({ ...link, candidates: link.candidates.map(withShortText) })),
    }),
    ...(similar && { similar: similar.map(withShortText) }),
  }
  return { text: told(event, receipt, quoted, similar), result }
}

function toEvent({ text, payload, event_kind = 'fact', ...rest }: One, graph_id: string): Event {
  if ((text === undefined) === (payload === undefined))
    throw new Refused('Give what was learned either as text or as payload: one of them, not both.')
  return { ...rest, graph_id, event_kind, payload: payload ?? { text: text ?? '' } }
}

/** What was erased and is said again is said anew, under another key: that of the first time stays used. */
async function once<T>(said: string, send: (params: Keyed) => Parameters<typeof dataOf<T>>[0]): Promise<T> {
  for (let erased = 0; ; erased++) {
    const hashed = createHash('sha256').update(said).update('again'.repeat(erased))
    try {
      return await dataOf(send({ header: { 'Idempotency-Key': `mcp-${hashed.digest('hex')}` } }))
    } catch (error) {
      const isSpent = error instanceof Refused && error.code === 'idempotency_key_reused'
      if (!isSpent || erased === MAX_ERASED) throw error
    }
  }
}

interface Keyed {
  readonly header: { readonly 'Idempotency-Key': string }
}

/**
 * A claim that was replaced may be stated again on purpose, as when a state comes back: that is another statement, so
 * what replaced it is a part of what is said.
 */
async function saidOf(client: LoregraphClient, event: Event, trial: Receipt): Promise<string> {
  const { graph_id } = event
  const replacedBy =
    trial.status === 'duplicate'
      ? (await memoryOf(client, graph_id, trial.event_id).catch(() => undefined))?.superseded_by
      : undefined
  // A boundary: what came as JSON is JSON.
  return canonicalJson([event, replacedBy ?? []] as unknown as Json)
}

function memoryOf(client: LoregraphClient, graph_id: string, memory_id: string) {
  return dataOf(
    client.GET('/v1/memories/{graph_id}/{memory_id}', { params: { path: { graph_id, memory_id } } }),
  )
}

/** The event is recorded by now, so a memory that cannot be read, or not with this key, is only not quoted. */
async function textOf(client: LoregraphClient, graph_id: string, memory_id: string): Promise<string> {
  const { text } = await memoryOf(client, graph_id, memory_id).catch(() => ({ text: '' }))
  return shortened(text, QUOTED_CHARS)
}

function withShortText<T extends { readonly text: string }>(memory: T): T {
  return { ...memory, text: shortened(memory.text, QUOTED_CHARS) }
}

function told(
  event: Event,
  { event_id, context_id, status, confidence, bears_on, unresolved = [] }: Receipt,
  quoted: readonly string[],
  /** Absent for a key that may not read, which is not told all that the event bears on, either. */
  similar: readonly Schemas['SimilarMemory'][] | undefined,
): string {
  const lines = [
    status === 'duplicate'
      ? `Known already as ${event_id} in ${context_id}; this is one more statement of it (trust ${confidence.toFixed(2)}).`
      : `Recorded as ${event_id} in ${context_id} (${event.event_kind}, trust ${confidence.toFixed(2)}).`,
    ...bears_on.map(
      (it, i) =>
        `- ${EFFECTS[it.effect]} ${fieldsOf(it)}${it.memory_id}${placeOf(it)}${quoted[i] ? `: ${quoted[i]}` : ''}`,
    ),
    ...unresolved.flatMap(asked),
  ]
  if (similar === undefined) return `${lines.join('\n')}\n`
  if (similar.length > 0)
    lines.push(
      'Similar, and not touched by this. If one is wrong now, record again and name it in contradicts:',
      ...similar.map((it) => `- ${it.memory_id} in ${it.context_id}: ${shortened(it.text, QUOTED_CHARS)}`),
    )
  return `${lines.join('\n')}\n`
}

function placeOf({ context_id }: Schemas['RecordedBearing']): string {
  return context_id === undefined ? '' : ` in ${context_id}`
}

const EFFECTS = {
  supersedes: 'It replaces',
  disputes: 'It disputes (both stand)',
  reinforces: 'It confirms',
  extends: 'It builds on',
  late: 'It began before, and stands behind,',
  noted: 'It names, without effect,',
} as const

function fieldsOf({ fields = [] }: Schemas['RecordedBearing']): string {
  return fields.length === 0 ? '' : `${fields.map((name) => `\`${name}\``).join(', ')} of `
}

/** A link that moved nothing, and the exact call that settles it. */
function asked({ path, target, candidates }: Schemas['UnresolvedLink']): string[] {
  const link = path.split('/')[1] ?? 'contradicts'
  if (candidates.length === 0)
    return [`Nothing in ${target} was changed: it is not clear what ${link} means. Name a memory id.`]
  return [
    `Nothing in ${target} was changed: it is not clear which memory is meant. If one of these, record the same again with`,
    ...candidates.map(({ send, text }) => `- ${link}: ["${send}"] for: ${shortened(text, QUOTED_CHARS)}`),
  ]
}
