import { createHash, hash } from 'node:crypto'
import type { Caller, OperationId } from '../contract/operations.js'
import { canonicalPieces } from '../domain/events/same-event.js'
import type { JsonObject } from '../domain/model.js'
import { contextId, foldContextId, foldName, foldType } from '../domain/names.js'
import type { Page, Paging } from '../domain/page.js'
import { pointerStep } from '../domain/pointer.js'
import type { ContextFilter } from '../domain/search/knowledge.js'
import { type AsOf, parseAsOf, parseTime, type When } from '../domain/time.js'
import type { GraphReader, Idempotency } from '../store/store.js'
import { inTurns } from './in-turns.js'

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

/** The moment of a page, if there are others and the request names none: they are of the same, whatever is recorded meanwhile. */
export function momentOf(
  graph: Pick<GraphReader, 'lastPlace'>,
  { total, pageSize }: Page<unknown>,
  { as_of }: WireTimes,
): { readonly asOf?: string } {
  return as_of === undefined && total > pageSize ? { asOf: String(graph.lastPlace()) } : {}
}

/**
 * The same where `valid_at` is taken: what is true now is not all that was true when the last event was recorded, so the
 * links also keep to the time in the world.
 */
export function timesOf(
  graph: Pick<GraphReader, 'lastPlace'>,
  page: Page<unknown>,
  query: WireTimes,
  now: Date,
): { readonly asOf?: string; readonly validAt?: string } {
  const moment = momentOf(graph, page, query)
  if (moment.asOf === undefined || query.valid_at !== undefined) return moment
  return { ...moment, validAt: now.toISOString() }
}

/** The moment that a request asks about; undefined for the present. */
export function toAsOf(raw: string | undefined, path: string): AsOf | undefined {
  return raw === undefined ? undefined : parseAsOf(raw, path)
}

/** The time in the world that a request asks about; undefined for now, or for that of `as_of`. */
export function toValidAt(raw: string | undefined, path: string): string | undefined {
  return raw === undefined ? undefined : parseTime(raw, path)
}

/** Both; `part` is the pointer to the part of the request that has them. */
export function toWhen({ as_of, valid_at }: WireTimes, part: string): When {
  return { asOf: toAsOf(as_of, `${part}/as_of`), validAt: toValidAt(valid_at, `${part}/valid_at`) }
}

/** Names a write that came with an `Idempotency-Key`: the same value of another caller, or for another operation, is another one. */
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

/** The contexts a request is limited to; undefined when it names none. An empty array of names is the whole type. */
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
