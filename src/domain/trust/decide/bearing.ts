import { isMemoryId } from '../../ids.js'
import type { Json, Link, LinkKind, MemoryId } from '../../model.js'
import { isObject } from '../../text.js'
import { type Claims, claimsOf, fieldsLeft, type Judgement, keyOf, stands } from '../claims/claims.js'
import { prevails } from '../claims/rank.js'
import type { Claim, Statement, Unresolved } from '../claims/types.js'
import {
  agree,
  type ClaimId,
  claimOfField,
  claimsIn,
  fieldOf,
  folded,
  isMeasure,
  isProseOnly,
  isQualifier,
  memoryOf,
  type RecordFields,
} from '../fields.js'

/** The claims that each link of an event bears on, in the order of the links, and the links whose meaning is not sure. */
interface Bearings {
  readonly bears: readonly (readonly ClaimId[])[]
  readonly unresolved: readonly Unresolved[]
}

/** The claims that a link means; undefined if that is not sure. */
type Meant = readonly ClaimId[] | undefined

const MAX_CANDIDATES = 5
/** How many memories are compared by their words. */
const MAX_COMPARED = 100
/** A longer text is a sentence. */
const MAX_NAME_WORDS = 4

export function bearings(statement: Statement, claims: Claims, judgement: Judgement): Bearings {
  const reading = new LinkReader(statement, claims, judgement)
  const all = statement.links.map((link) => reading.read(link))
  return {
    bears: all.map((meant) => meant ?? []),
    unresolved: statement.links.flatMap((link, i) => {
      // An extension whose meaning is not sure builds on the context as a whole.
      if (all[i] !== undefined || link.kind === 'extension') return []
      return [{ link: i, candidates: reading.candidates(link) }]
    }),
  }
}

/** The claims of an event that oppose a given one: the claim of the field that holds the new value. */
export function opposingClaims(
  { claim, from }: Statement,
  against: readonly ClaimId[],
  claims: Claims,
  judgement: Judgement,
): (id: ClaimId) => readonly ClaimId[] {
  const fields = judgement.fieldsOf(claim)
  if (fields === undefined || claimsIn(fields).length < 2) return () => [claim]
  const keysFor = (id: ClaimId): readonly string[] => {
    const key = keyOf(id, claims, judgement, against)
    if (key !== undefined) return fields.slots.includes(key) ? [key] : fields.prose.slice(0, 1)
    // Behind another record, only the fields that both have oppose.
    const other = claims.get(id)
    const theirs = other && from < other.spell.from ? judgement.fieldsOf(memoryOf(id)) : undefined
    const shared = theirs === undefined ? [] : fields.slots.filter((slot) => theirs.values.has(slot))
    return shared.length < claimsIn(fields).length ? shared : []
  }
  const keys = new Set(against.flatMap(keysFor))
  const idOf = claimIdsFor(claim, fields, [...keys], claims)
  return (id) => {
    const own = keysFor(id)
    return own.length === 0 ? [claim] : own.map(idOf)
  }
}

/**
 * The ids of the claims of some fields of a memory. If `keys` are all fields that were not split off yet, the last one keeps
 * the id of the memory, so that the memory is superseded once its claims are.
 */
function claimIdsFor(
  memory: MemoryId,
  fields: RecordFields,
  keys: readonly string[],
  claims: Claims,
): (key: string) => ClaimId {
  const left = fieldsLeft(memory, fields, claims)
  const last = left.every((key) => keys.includes(key)) ? left.at(-1) : undefined
  return (key) => (key === last ? memory : claimOfField(memory, fields.written.get(key) ?? key))
}

/** The value that stands for a field of a memory, and the claim that holds it. */
interface Present {
  readonly holder: ClaimId
  readonly value: Json | undefined
}

/** Memories about one thing: a field of one was replaced by the other, or is in open contradiction with it. */
interface Candidate {
  readonly members: Set<MemoryId>
  readonly agreed: Set<string>
  /** By field, the claims that hold another value than the event. */
  readonly differing: Map<string, readonly Present[]>
}

class LinkReader {
  readonly #statement: Statement
  readonly #claims: Claims
  readonly #judgement: Judgement
  readonly #own: RecordFields | undefined
  readonly #named: ReadonlySet<string>

  constructor(statement: Statement, claims: Claims, judgement: Judgement) {
    this.#statement = statement
    this.#claims = claims
    this.#judgement = judgement
    this.#own = judgement.fieldsOf(statement.claim)
    this.#named = new Set(statement.links.map(({ target }) => target))
  }

  read({ kind, target, field }: Link): Meant {
    if (kind === 'related-to') return []
    if (!isMemoryId(target)) return this.#inContext(kind, target)
    if (field !== undefined) return [this.#ofField(kind, target, field)]
    if (kind === 'extension') return [target]
    return kind === 'contradiction' ? this.#contradicted(target) : this.#reinforced(target)
  }

  /** What an unresolved link may mean: the memory that shares most fields with the event, then most words, then the latest. */
  candidates({ target }: Link): ClaimId[] {
    const { claim } = this.#statement
    const members = isMemoryId(target) ? [target] : this.#members(target)
    const likeliest = members
      .map((id, i) => ({ ...this.#inCommon(id), i }))
      .sort((a, b) => b.points - a.points || b.i - a.i)
      .slice(0, MAX_COMPARED)
      .map((one) => ({ ...one, points: one.points + this.#judgement.likeness(claim, memoryOf(one.id)) }))
    return likeliest
      .sort((a, b) => b.points - a.points || b.i - a.i)
      .slice(0, MAX_CANDIDATES)
      .map(({ id }) => id)
  }

  /** How much a memory has in common with the event by its fields. The id is that of the field that differs, if only one does. */
  #inCommon(id: MemoryId): { readonly id: ClaimId; readonly points: number } {
    const fields = this.#judgement.fieldsOf(id)
    const shared = fields === undefined || this.#isNamedOtherwise(fields) ? [] : this.#shared(fields)
    const differing = shared.filter((key) => !this.#agrees(this.#present(id, key), key))
    const [key, ...others] = differing
    const field = key === undefined || others.length > 0 ? undefined : fields?.written.get(key)
    const points = 2 * shared.length - differing.length
    return { id: field === undefined ? id : claimOfField(id, field), points }
  }

  #members(contextId: string): MemoryId[] {
    const { claim } = this.#statement
    return this.#claims.standing(contextId).filter((id) => id !== claim && !this.#named.has(id))
  }

  #ofField(kind: LinkKind, memory: MemoryId, field: string): ClaimId {
    const key = folded(field)
    const fields = this.#judgement.fieldsOf(memory)
    if (fields === undefined) return memory
    const idOf = claimIdsFor(memory, fields, this.#namedOf(memory, fields), this.#claims)
    const id = idOf(this.#keyOf(fields, key))
    if (kind !== 'contradiction' || fields.prose.includes(key)) return id
    const present = this.#present(memory, key)
    // An event that confirms the standing value contradicts only the replaced one.
    const isSame = [memory, this.#statement.claim].includes(memoryOf(present.holder))
    return isSame || this.#agrees(present, key) ? id : present.holder
  }

  /** The fields of a memory that links of the event name. */
  #namedOf(memory: MemoryId, fields: RecordFields): string[] {
    const named = this.#statement.links.filter(({ target }) => target === memory)
    return named.flatMap(({ field }) => (field === undefined ? [] : this.#keyOf(fields, folded(field))))
  }

  /** All prose of a record is one claim, by the name of its first field. */
  #keyOf({ prose }: RecordFields, key: string): string {
    return prose.includes(key) ? (prose[0] ?? key) : key
  }

  #contradicted(target: MemoryId): Meant {
    const fields = this.#judgement.fieldsOf(target)
    const own = this.#own
    if (fields === undefined || own === undefined) return [target]
    const shared = this.#shared(fields)
    const candidate = this.#candidateOf(target, shared)
    if (candidate.differing.size > 0) return this.#replacedIn(candidate)
    const prose = fields.prose[0]
    if (prose !== undefined && own.prose.length > 0)
      return [claimIdsFor(target, fields, [prose], this.#claims)(prose)]
    if (shared.length === 0 || own.prose.length > 0) return this.#allOf(target)
    return claimsIn(fields).length === 1 ? [target] : undefined
  }

  /** Reinforcing a memory supports its fields that agree with the event; if they share no field, all its standing claims. */
  #reinforced(target: MemoryId): Meant {
    const fields = this.#judgement.fieldsOf(target)
    const shared = fields === undefined ? [] : this.#shared(fields)
    if (fields === undefined || shared.length === 0) return this.#allOf(target)
    const { agreed } = this.#candidateOf(target, shared)
    if (claimsIn(fields).every((key) => agreed.has(key))) return this.#allOf(target)
    return agreed.size === 0 ? undefined : this.#supported(target, fields, [...agreed])
  }

  #supported(memory: MemoryId, fields: RecordFields, keys: readonly string[]): ClaimId[] {
    const idOf = claimIdsFor(memory, fields, keys, this.#claims)
    return keys
      .map((key) => idOf(key))
      .filter((id) => this.#claims.get(id) === undefined || stands(this.#claims.get(id)))
  }

  #allOf(memory: MemoryId): ClaimId[] {
    const all = claimsOf(memory, this.#claims)
    const standing = all.filter(stands)
    return (standing.length > 0 ? standing : all).map(({ id }) => id)
  }

  #inContext(kind: LinkKind, contextId: string): Meant {
    const own = this.#own
    if (own === undefined) return undefined
    const members = this.#members(contextId)
    return (
      (isProseOnly(own) ? undefined : this.#byFields(kind, own, members)) ?? this.#byText(kind, own, members)
    )
  }

  #byFields(kind: LinkKind, own: RecordFields, members: readonly MemoryId[]): Meant {
    const candidate = this.#chosen(own, members)
    if (candidate === undefined) return undefined
    if (kind === 'contradiction')
      return this.#saysOnlyPart(candidate) ? undefined : this.#replacedIn(candidate)
    if (kind === 'extension') return [...candidate.members]
    return [...candidate.members].flatMap((id) => this.#reinforced(id) ?? [])
  }

  /** The memories that agree with the event in most fields, unless others agree in as many; if none agrees, the only ones. */
  #chosen(own: RecordFields, members: readonly MemoryId[]): Candidate | undefined {
    const isOfQualifiers = own.slots.every(isQualifier)
    if (isOfQualifiers && members.length > 1) return undefined
    const groups = this.#grouped(members)
    const most = groups.reduce((size, { agreed }) => Math.max(size, agreed.size), 0)
    const best = groups.filter(({ agreed }) => agreed.size === most)
    if (most > 0) return best.length === 1 ? best[0] : undefined
    const only = this.#together(best)
    return only !== undefined && this.#mayBeMeant(own, only) ? only : undefined
  }

  /** The memories that share fields with the event; together if they share the holder of one, or holders are in dispute. */
  #grouped(members: readonly MemoryId[]): Candidate[] {
    const groups: Candidate[] = []
    const byHolder = new Map<ClaimId, Candidate>()
    for (const id of members) {
      const fields = this.#judgement.fieldsOf(id)
      if (fields === undefined || this.#isNamedOtherwise(fields)) continue
      const shared = this.#shared(fields)
      if (shared.length === 0) continue
      const next = this.#candidateOf(id, shared)
      const holders = [...next.differing.values()].flatMap((all) => all.map(({ holder }) => holder))
      const near = holders.flatMap((holder) => [holder, ...this.#claims.opponents(holder)])
      const known = near.find((holder) => byHolder.has(holder))
      const group = known === undefined ? undefined : byHolder.get(known)
      if (group === undefined) groups.push(next)
      else add(next, group)
      for (const holder of holders) byHolder.set(holder, group ?? next)
    }
    return groups
  }

  /** Is a value of the event an object that lacks a key of the standing value? That key may still hold. */
  #saysOnlyPart({ differing }: Candidate): boolean {
    return [...differing].some(([key, all]) => {
      const mine = this.#own?.values.get(key)
      return all.some(
        ({ value }) =>
          isObject(mine) && isObject(value) && Object.keys(value).some((name) => !(name in mine)),
      )
    })
  }

  /** The groups as one candidate, if no field is held by two of them. */
  #together(groups: readonly Candidate[]): Candidate | undefined {
    const [first, ...others] = groups
    if (first === undefined) return undefined
    for (const next of others) {
      if ([...next.differing.keys()].some((key) => first.differing.has(key))) return undefined
      add(next, first)
    }
    return first
  }

  /**
   * May the only candidate be meant, although no field agrees? If one value or only measures differ, if the event says anew a
   * part of memories whose subject it does not name, or if neither the event nor the memories name a subject.
   */
  #mayBeMeant(own: RecordFields, { members, differing }: Candidate): boolean {
    const [[key, [held]] = ['', []]] = differing
    const theirs = [...members].flatMap((id) => this.#judgement.fieldsOf(id) ?? [])
    const isName = theirs.some(({ subject, slots }) => subject === key || slots.length === 1)
    if (differing.size === 1 && !(isName && this.#areOtherPhrases(own, key, held?.value))) return true
    const areMeasures = ([name, all]: [string, readonly Present[]]) =>
      [own.values.get(name), ...all.map(({ value }) => value)].every(isMeasure)
    if ([...differing].every(areMeasures)) return true
    const isPart = (fields: RecordFields) =>
      claimsIn(fields).some((name) => !own.values.has(name)) &&
      (fields.subject === undefined || !own.values.has(fields.subject))
    const isAll = (fields: RecordFields) => claimsIn(fields).every((name) => own.values.has(name))
    if (differing.size > 1 && theirs.some(isPart) && theirs.every((one) => isPart(one) || isAll(one)))
      return true
    return (
      own.subject === undefined && theirs.every(({ subject }) => subject === undefined) && differing.size > 1
    )
  }

  /** Phrases without a common word may be two things of one kind, unless the context is named after the field. */
  #areOtherPhrases(own: RecordFields, key: string, value: Json | undefined): boolean {
    const mine = own.values.get(key)
    if (own.ofContext.includes(key) || typeof mine !== 'string' || typeof value !== 'string') return false
    const [a, b] = [wordsOf(mine), wordsOf(value)]
    return a.length > 1 && b.length > 1 && !a.some((word) => b.includes(word))
  }

  #candidateOf(id: MemoryId, keys: readonly string[]): Candidate {
    const candidate: Candidate = { members: new Set([id]), agreed: new Set(), differing: new Map() }
    for (const key of keys) {
      const present = this.#present(id, key)
      if (this.#agrees(present, key) || this.#saysTheSame(present, key)) candidate.agreed.add(key)
      else candidate.differing.set(key, [present])
    }
    return candidate
  }

  /** The claims of a candidate that the event contradicts: the differing fields, or all of a memory that it says anew. */
  #replacedIn({ members, agreed, differing }: Candidate): ClaimId[] {
    const keysOf = new Map<MemoryId, string[]>([...members].map((id) => [id, this.#otherQualifiers(id)]))
    for (const [key, all] of differing)
      for (const { holder } of all) {
        const memory = memoryOf(holder)
        keysOf.set(memory, [...(keysOf.get(memory) ?? []), key])
      }
    return [...keysOf].flatMap(([memory, keys]) => {
      const fields = this.#judgement.fieldsOf(memory)
      if (fields === undefined) return []
      const isChanged = keys.length > 0 || fields.slots.some((key) => differing.has(key))
      if (!isChanged) return []
      const standing = claimsOf(memory, this.#claims).filter(stands)
      const isAll = standing.length > 0 && this.#saysAnew(memory, fields, agreed, differing)
      if (isAll && standing.every((claim) => prevails(this.#statement.source, claim)))
        return standing.map(({ id }) => id)
      return this.#claimsFor(memory, fields, keys)
    })
  }

  /** The claims of some fields of a memory; for a field that it lacks, the claim of its sentences. */
  #claimsFor(memory: MemoryId, fields: RecordFields, keys: readonly string[]): ClaimId[] {
    const held = keys.flatMap((key) =>
      fields.values.has(key) ? this.#keyOf(fields, key) : (fields.prose[0] ?? []),
    )
    return [...new Set(held.map(claimIdsFor(memory, fields, held, this.#claims)))]
  }

  /** The qualifiers of a memory (when, why, by whom) that the event has with another value. */
  #otherQualifiers(id: MemoryId): string[] {
    const fields = this.#judgement.fieldsOf(id)
    const shared = fields?.qualifiers.filter((key) => this.#own?.values.has(key)) ?? []
    return shared.filter((key) => !this.#agrees(this.#present(id, key), key))
  }

  /** Has the event every field of a memory that still stands? */
  #saysAnew(
    id: MemoryId,
    fields: RecordFields,
    agreed: ReadonlySet<string>,
    differing: ReadonlyMap<string, unknown>,
  ): boolean {
    const parts = this.#claims.parts(id).filter((part) => !stands(this.#claims.get(part)))
    const replaced = new Set(parts.map((part) => folded(fieldOf(part) ?? '')))
    return claimsIn(fields).every((key) => replaced.has(key) || agreed.has(key) || differing.has(key))
  }

  /** By the texts alone: the memories of a single claim that surely speak of the same thing as the event. */
  #byText(kind: LinkKind, own: RecordFields, members: readonly MemoryId[]): Meant {
    const { claim } = this.#statement
    const single = members.filter((id) => {
      const fields = this.#judgement.fieldsOf(id)
      return fields !== undefined && claimsIn(fields).length === 1
    })
    const same = single.filter((id) => this.#judgement.sameThing(claim, id))
    if (kind === 'extension') return same.length > 0 ? same : undefined
    const agreeing = same.filter((id) => this.#judgement.saysTheSame(claim, id))
    if (kind === 'reinforcement') return agreeing.length > 0 ? agreeing : undefined
    const differing = same.filter((id) => !agreeing.includes(id))
    const replaced = differing.filter((id) => !this.#judgement.saysMuchMore(id, claim))
    if (replaced.length > 0 || (differing.length === 0 && agreeing.length > 0)) return replaced
    const [only] = single
    const isTaken =
      only !== undefined &&
      members.length === 1 &&
      isProseOnly(own) &&
      this.#judgement.mayReplace(claim, only)
    return isTaken ? [only] : undefined
  }

  #shared({ slots, values }: RecordFields): string[] {
    const own = this.#own?.slots ?? []
    return own.filter((key) => slots.includes(key) || (isQualifier(key) && values.has(key)))
  }

  /** Do the event and a memory name their subject by the same field, with different values? */
  #isNamedOtherwise(fields: RecordFields): boolean {
    const own = this.#own
    if (own?.subject === undefined || fields.subject !== own.subject) return false
    return !agree(own.values.get(own.subject), fields.values.get(fields.subject))
  }

  /** Two sentences may say the same in other words. */
  #saysTheSame({ holder, value }: Present, key: string): boolean {
    const mine = this.#own?.values.get(key)
    const areSentences = [mine, value].every(
      (one) => typeof one === 'string' && wordsOf(one).length > MAX_NAME_WORDS,
    )
    return areSentences && this.#judgement.saysTheSame(this.#statement.claim, memoryOf(holder))
  }

  #agrees({ value }: Present, key: string): boolean {
    return agree(value, this.#own?.values.get(key))
  }

  /** The value that stands for a field of a memory, by the claim that holds it now. */
  #present(memory: MemoryId, key: string): Present {
    const holder = holderOf(memory, key, this.#claims)
    const fields = this.#judgement.fieldsOf(memoryOf(holder))
    const value = fields?.values.get(key) ?? fields?.values.get(fields.prose[0] ?? '')
    if (memoryOf(holder) !== memory) return { holder, value }
    if (fields === undefined) return { holder: memory, value }
    const held = this.#keyOf(fields, key)
    return { holder: claimIdsFor(memory, fields, [held], this.#claims)(held), value }
  }
}

function add(from: Candidate, to: Candidate): void {
  for (const id of from.members) to.members.add(id)
  for (const key of from.agreed) to.agreed.add(key)
  for (const [key, all] of from.differing) {
    const known = to.differing.get(key) ?? []
    const fresh = all.filter(({ holder }) => !known.some((one) => one.holder === holder))
    to.differing.set(key, [...known, ...fresh])
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/u)
}

/** The claim that stands for a field of a memory: its own, or the one that replaced it. */
export function holderOf(memory: MemoryId, key: string, claims: Pick<Claims, 'get' | 'parts'>): ClaimId {
  const own = claimFor(memory, key, claims)
  if (own === undefined || stands(own)) return own?.id ?? memory
  const seen = new Set<ClaimId>([own.id])
  const queue = [...own.supersededBy]
  let latest: Claim | undefined
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const next = fieldOf(id) === undefined ? claimFor(id, key, claims) : claims.get(id)
    if (next === undefined || seen.has(next.id)) continue
    seen.add(next.id)
    if (!stands(next)) queue.push(...next.supersededBy)
    else if (next.place >= (latest?.place ?? 0)) latest = next
  }
  return latest?.id ?? own.id
}

function claimFor(memory: MemoryId, key: string, claims: Pick<Claims, 'get' | 'parts'>): Claim | undefined {
  const part = claims.parts(memory).find((id) => folded(fieldOf(id) ?? '') === key)
  return claims.get(part ?? memory)
}
