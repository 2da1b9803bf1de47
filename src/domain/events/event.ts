import { Failure, fieldFailure } from '../failure.js'
import { isMemoryId } from '../ids.js'
import { LINK_FIELDS, type LinkField, memoryField } from '../links.js'
import type { Json } from '../model.js'
import { type JsonObject, LINK_KINDS, type Link } from '../model.js'
import { foldContextId } from '../names.js'
import { mistakesIn } from './json-mistakes.js'

/** What every event keeps to, however it comes in. */

const MAX_PAYLOAD_BYTES = 65_536
const HUGE = 16 * MAX_PAYLOAD_BYTES
const MAX_PAYLOAD_DEPTH = 32
const MAX_LINKS = 100

export function checkPayload(payload: JsonObject, path: string): void {
  // Looking at such a payload more closely would take long.
  if (isHuge(payload)) throw tooLarge(`more than ${HUGE}`, path)
  if (depthOf(payload, MAX_PAYLOAD_DEPTH) > MAX_PAYLOAD_DEPTH) {
    const message = `must be at most ${MAX_PAYLOAD_DEPTH} levels deep`
    throw fieldFailure('invalid_event', path, message, 'The payload')
  }
  const json = JSON.stringify(payload)
  // NUL characters and halves of surrogate pairs are written as escapes.
  const [mistake] = json.includes('\\u') ? mistakesIn(payload, path) : []
  if (mistake !== undefined) throw fieldFailure('invalid_event', mistake.path, mistake.message)
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_PAYLOAD_BYTES) throw tooLarge(String(bytes), path)
}

function tooLarge(bytes: string, path: string): Failure {
  return new Failure(
    'content_too_large',
    `The payload has ${bytes} bytes; at most ${MAX_PAYLOAD_BYTES} are allowed. Split it into several events.`,
    { errors: [{ path, message: `must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON` }] },
  )
}

/** Is a payload surely longer than `HUGE` bytes? */
function isHuge(payload: JsonObject): boolean {
  let size = 0
  const add = (value: Json): boolean => {
    if (typeof value === 'string') size += value.length
    else if (value !== null && typeof value === 'object')
      for (const key in value) {
        // Each item is two characters long at least, itself and a comma.
        size += Array.isArray(value) ? 2 : key.length + 2
        if (add((value as JsonObject)[key] ?? null)) return true
      }
    return size > HUGE
  }
  return add(payload)
}

/** Nothing ends before it has begun: at its `valid_from`, or else at its `timestamp`. */
export function refuseEndedBefore(
  { occurredAt, validFrom }: { readonly occurredAt: string; readonly validFrom?: string | undefined },
  validUntil: string,
  path: string,
): void {
  if (validUntil > (validFrom ?? occurredAt)) return
  const begun = validFrom === undefined ? `timestamp of the event, ${occurredAt}` : `valid_from, ${validFrom}`
  throw fieldFailure('invalid_event', path, `must be later than the ${begun}`)
}

/** A payload must hold some text, number or truth value: what says nothing can be no answer. */
export function refuseSayingNothing(payload: JsonObject, path: string): void {
  if (saysSomething(payload)) return
  const message = 'must hold a text that is not empty, a number or a truth value'
  throw fieldFailure('invalid_event', path, message, 'The payload')
}

function saysSomething(value: Json): boolean {
  if (value === null) return false
  if (typeof value === 'string') return value.trim() !== ''
  return typeof value !== 'object' || Object.values(value).some(saysSomething)
}

/** The links that an event states, its context ids folded. */
export function toLinks(
  event: Readonly<Partial<Record<LinkField, readonly string[]>>>,
  path: string,
): Link[] {
  const links = LINK_KINDS.flatMap((kind) => {
    const field = LINK_FIELDS[kind]
    return (event[field] ?? []).map((target, i) => ({
      kind,
      ...targetOf(target, `${path}/${field}/${i}`),
    }))
  })
  if (links.length > MAX_LINKS) {
    const message = `has ${links.length} links; one event states at most ${MAX_LINKS}`
    throw fieldFailure('invalid_event', path, message, 'The event')
  }
  return links
}

function targetOf(text: string, path: string): Omit<Link, 'kind'> {
  const named = memoryField(text)
  if (named !== undefined) return named
  return { target: isMemoryId(text) ? text : foldContextId(text, path) }
}

/** How many levels of objects and arrays a value has; counting stops just past `enough`. */
function depthOf(value: Json, enough: number): number {
  if (value === null || typeof value !== 'object') return 0
  if (enough === 0) return 1
  let deepest = 0
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item, enough - 1))
  return deepest + 1
}
