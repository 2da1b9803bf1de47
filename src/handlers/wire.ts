import { createHash, hash } from 'node:crypto'
import type { Caller, OperationId } from '../contract/operations.js'
import { canonicalPieces } from '../domain/events/same-event.js'
import type { JsonObject } from '../domain/model.js'
import { contextId, foldContextId, foldName, foldType } from '../domain/names.js'
import type { Page, Paging } from '../domain/page.js'
import { pointerStep } from '../domain/pointer.js'
import type { ContextFilter } from '../domain/search/knowledge.js'
import { type AsOf, parseAsOf, parseTime, type When } from '../domain/time.js'
import { nextTurn } from '../loop/next-turn.js'
import type { GraphReader, Idempotency } from '../store/store.js'

export function toPaging(query: { readonly page: number; readonly page_size: number }): Paging {
  return { page: query.page, pageSize: query.page_size }
}

export function envelope({ total, page, pageSize }: Page<unknown>) {
  return { total, page, page_size: pageSize }
}

interface WireTimes {
  readonly as_of?: string
  readonly valid_at?: string
}

/**
 * Pins the links to other pages to the current position in the log, so that all pages agree while events are
 * recorded. Empty when there is only one page, or when the request has an `as_of` already.
 */
export function pinnedAsOf(
  graph: Pick<GraphReader, 'lastPlace'>,
  { total, pageSize }: Page<unknown>,
  { as_of }: WireTimes,
): { readonly asOf?: string } {
  return as_of === undefined && total > pageSize ? { asOf: String(graph.lastPlace()) } : {}
}

/**
 * As `pinnedAsOf`, for operations with `valid_at`: pins the links to the current time as well, since the
 * passing of time alone changes which memories are valid.
 */
export function pinnedTimes(
  graph: Pick<GraphReader, 'lastPlace'>,
  page: Page<unknown>,
  query: WireTimes,
  now: Date,
): { readonly asOf?: string; readonly validAt?: string } {
  const pinned = pinnedAsOf(graph, page, query)
  if (pinned.asOf === undefined || query.valid_at !== undefined) return pinned
  return { ...pinned, validAt: now.toISOString() }
}

/** Parses `as_of`; undefined means the current state of the log. */
export function toAsOf(raw: string | undefined, path: string): AsOf | undefined {
  return raw === undefined ? undefined : parseAsOf(raw, path)
}

/** Parses `valid_at`; undefined means the time of `as_of`, or now without one. */
export function toValidAt(raw: string | undefined, path: string): string | undefined {
  return raw === undefined ? undefined : parseTime(raw, path)
}

/** Parses `as_of` and `valid_at`; `part` is the pointer to the part of the request that has them. */
export function toWhen({ as_of, valid_at }: WireTimes, part: string): When {
  return { asOf: toAsOf(as_of, `${part}/as_of`), validAt: toValidAt(valid_at, `${part}/valid_at`) }
}

/** The identity of a write with an `Idempotency-Key`, which is scoped to the caller and the operation. */
export async function toIdempotency(
  operation: OperationId,
  { principal }: Caller,
  headers: { readonly 'idempotency-key'?: string },
  body: JsonObject,
): Promise<Idempotency | undefined> {
  const name = headers['idempotency-key']
  if (name === undefined) return undefined
  const canonical = createHash('sha256')
  await inTurns(canonicalPieces(body), (piece) => canonical.update(piece))
  return {
    key: hash('sha256', JSON.stringify([operation, principal.keyId, name])),
    body: canonical.digest('hex'),
  }
}

interface WireScope {
  readonly context_types?: Readonly<Record<string, readonly string[]>>
  readonly context_ids?: readonly string[]
}

/** The contexts that a request is limited to; undefined for all. An empty list of names is the whole type. */
export function toContextFilter({
  context_types = {},
  context_ids = [],
}: WireScope): ContextFilter | undefined {
  const types: string[] = []
  const contextIds = context_ids.map((id, i) => foldContextId(id, `/body/context_ids/${i}`))
  for (const [rawType, names] of Object.entries(context_types)) {
    const path = `/body/context_types/${pointerStep(rawType)}`
    const type = foldType(rawType, path)
    if (names.length === 0) types.push(type)
    names.forEach((name, i) => {
      contextIds.push(contextId(type, foldName(name, `${path}/${i}`)))
    })
  }
  return types.length + contextIds.length === 0 ? undefined : { types, contextIds }
}

/** Checking this many events of at most 64 KiB takes a few milliseconds. */
const BATCH_SIZE = 16

/** Calls `work` with every item, in order, and gives way to other requests in between. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T, index: number) => void): Promise<void> {
  let index = 0
  for (const item of items) {
    work(item, index++)
    if (index % BATCH_SIZE === 0) await nextTurn()
  }
}
