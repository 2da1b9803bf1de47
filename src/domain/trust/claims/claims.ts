import type { ContextId, MemoryId } from '../../model.js'
import { type ClaimId, claimsIn, fieldOf, folded, memoryOf, type RecordFields } from '../fields.js'
import type { Claim } from './types.js'

/** What the rules ask of a store: state that is already in memory. */
export interface Claims {
  /** Undefined only for a memory that the graph does not have, and for a field that was not split off. */
  get(id: ClaimId): Claim | undefined
  /** The claims of fields that were split off a memory. */
  parts(id: MemoryId): readonly ClaimId[]
  /** The claims in open contradiction with this one; all of them stand. */
  opponents(id: ClaimId): Iterable<ClaimId>
  /** The claims that this one superseded. */
  supersedes(id: ClaimId): ReadonlySet<ClaimId>
  /** The latest `MAX_CONSIDERED` memories of the context with a standing claim, by place, the latest last. */
  standing(contextId: ContextId): readonly MemoryId[]
}

/** The fields of payloads, and verdicts about two texts, by the ids of their memories. */
export interface Judgement {
  /** Undefined for a memory whose payload is gone. */
  fieldsOf(id: MemoryId): RecordFields | undefined
  /** The two surely speak of the same thing. */
  sameThing(a: MemoryId, b: MemoryId): boolean
  /** Speaking of the same thing, the two surely agree. */
  saysTheSame(a: MemoryId, b: MemoryId): boolean
  /** 0..1: how far the two may speak of the same thing, by their words. */
  likeness(a: MemoryId, b: MemoryId): number
  /** `later`, which contradicts its context, may replace the only text there. */
  mayReplace(later: MemoryId, earlier: MemoryId): boolean
  /** May one claim oppose another that no link names? Only where an event was decided before. */
  readonly decided?: (by: ClaimId, other: ClaimId) => boolean
  /** `earlier` says much that `later` does not. */
  saysMuchMore(earlier: MemoryId, later: MemoryId): boolean
}

/** How many memories of a context, the latest standing ones, a link to it is compared with. */
export const MAX_CONSIDERED = 1000

export function stands(claim: Claim | undefined): claim is Claim & { readonly superseded: undefined } {
  return claim !== undefined && claim.superseded === undefined
}

/** All claims of a memory: the memory itself first, then its field claims. */
export function claimsOf(id: MemoryId, claims: Pick<Claims, 'get' | 'parts'>): Claim[] {
  const all = [claims.get(id), ...claims.parts(id).map((part) => claims.get(part))]
  return all.filter((claim) => claim !== undefined)
}

/** The claim of a memory as a whole: it is superseded once all its claims are. */
export function wholeOf(id: MemoryId, claims: Pick<Claims, 'get' | 'parts'>): Claim | undefined {
  const own = claims.get(id)
  if (own === undefined || claims.parts(id).length === 0) return own
  const all = claimsOf(id, claims)
  const standing = all.filter(stands)
  if (standing.length > 0) {
    const { phase: _, ...whole } = stands(own) ? own : { ...own, superseded: undefined, supersededBy: [] }
    const phase = standing.every((claim) => claim.phase !== undefined) ? standing[0]?.phase : undefined
    if (phase === own.phase && stands(own)) return own
    return phase === undefined ? whole : { ...whole, phase }
  }
  const last = all.reduce((a, b) => ((b.superseded?.place ?? 0) > (a.superseded?.place ?? 0) ? b : a))
  const supersededBy = [...new Set(all.flatMap((claim) => claim.supersededBy))]
  return { ...own, superseded: last.superseded, supersededBy }
}

/**
 * The folded name of the only field that a claim holds; undefined for a memory with several fields left that were not split
 * off. `more` are claims that are about to be split off.
 */
export function keyOf(
  id: ClaimId,
  claims: Pick<Claims, 'parts'>,
  judgement: Pick<Judgement, 'fieldsOf'>,
  more: readonly ClaimId[] = [],
): string | undefined {
  const field = fieldOf(id)
  if (field !== undefined) return folded(field)
  const fields = judgement.fieldsOf(id)
  if (fields === undefined) return undefined
  const [key, ...others] = fieldsLeft(id, fields, claims, more)
  return others.length === 0 ? key : undefined
}

/** The folded names of the fields that the claim of a memory holds, as they were not split off. */
export function fieldsLeft(
  memory: MemoryId,
  fields: RecordFields,
  claims: Pick<Claims, 'parts'>,
  more: readonly ClaimId[] = [],
): string[] {
  const parts = [...claims.parts(memory), ...more.filter((id) => memoryOf(id) === memory)]
  const split = new Set(parts.flatMap((part) => fieldOf(part) ?? []).map(folded))
  return claimsIn(fields).filter((key) => !split.has(key))
}

/** The same, if the name of the field says what it holds (a slot); undefined for sentences, which are compared as texts. */
export function slotOf(
  id: ClaimId,
  claims: Pick<Claims, 'parts'>,
  judgement: Pick<Judgement, 'fieldsOf'>,
): string | undefined {
  const key = keyOf(id, claims, judgement)
  return key !== undefined && judgement.fieldsOf(memoryOf(id))?.slots.includes(key) ? key : undefined
}
