import { addTo, getOrAdd, listOf, mark, removeFrom } from '../groups.js'
import { countUpTo, countWhile } from '../in-order.js'
import type { ContextId, MemoryId } from '../model.js'
import type { AgainstContext } from './claims/assess.js'
import type { Changes } from './claims/changes.js'
import { type Claims, MAX_CONSIDERED, stands, wholeOf } from './claims/claims.js'
import { Lines } from './claims/lines.js'
import type { Bases } from './claims/staleness.js'
import type { Claim, Supersession } from './claims/types.js'
import type { Past } from './erase/losses.js'
import { type ClaimId, memoryOf } from './fields.js'
import { Foundations } from './foundations.js'
import { OpenDisputes } from './open-disputes.js'

/** The claims as of some moment, as far as showing a memory asks for them. */
export interface HistoricalClaims extends Bases, Pick<Claims, 'get' | 'parts' | 'supersedes'> {
  /** The claims in open contradiction with this one. */
  opponents(id: ClaimId): ReadonlySet<ClaimId>
  /** The records that contradict a context as a whole, in order of recording. */
  against(contextId: ContextId): readonly AgainstContext[]
}

const NONE: ReadonlySet<ClaimId> = new Set()
const NO_PARTS: readonly ClaimId[] = []

/** All claims of a graph in memory, with indexes. */
export class ClaimTable implements Claims, Past, HistoricalClaims {
  readonly #claims = new Map<ClaimId, Claim>()
  readonly #parts = new Map<MemoryId, ClaimId[]>()
  readonly #remake: ((id: MemoryId) => Claim | undefined) | undefined
  readonly #members = new Map<ContextId, Members>()
  readonly #opponents = new Map<ClaimId, Set<ClaimId>>()
  readonly #supersedes = new Map<ClaimId, Set<ClaimId>>()
  readonly #against = new Map<ContextId, AgainstContext[]>()
  readonly #history = new ClaimHistory()
  readonly lines = new Lines()
  readonly disputes = new OpenDisputes()
  #version = 0
  readonly foundations = new Foundations((id) => this.whole(id)?.superseded !== undefined)

  /** `remake` makes the fresh claim of a memory from its row. With it, claims that no other event concerned are not kept. */
  constructor(remake?: (id: MemoryId) => Claim | undefined) {
    this.#remake = remake
  }

  /** Changes with every commit. */
  get version(): number {
    return this.#version
  }

  get(id: ClaimId): Claim | undefined {
    return this.#claims.get(id) ?? this.#remake?.(id)
  }

  parts(id: MemoryId): readonly ClaimId[] {
    return this.#parts.get(id) ?? NO_PARTS
  }

  whole(id: ClaimId): Claim | undefined {
    return wholeOf(id, this)
  }

  opponents(id: ClaimId): ReadonlySet<ClaimId> {
    return this.#opponents.get(id) ?? NONE
  }

  supersedes(id: ClaimId): ReadonlySet<ClaimId> {
    return this.#supersedes.get(id) ?? NONE
  }

  against(contextId: ContextId): readonly AgainstContext[] {
    return this.#against.get(contextId) ?? []
  }

  standing(contextId: ContextId): MemoryId[] {
    return this.#members.get(contextId)?.latest(MAX_CONSIDERED, this.#isStanding) ?? []
  }

  *held(contextId: ContextId, before: number, except: MemoryId): Iterable<MemoryId> {
    for (const id of this.#members.get(contextId)?.all ?? []) {
      if (this.#placeOf(id) >= before) return
      if (id !== except) yield id
    }
  }

  lossOf(contextId: ContextId, before: number, except: MemoryId): Supersession | undefined {
    const members = this.#members.get(contextId)
    const earliest = members?.earliest((id) => id !== except && this.#isStanding(id))
    if (earliest !== undefined && this.#placeOf(earliest) < before) return undefined
    return latestOf(this.held(contextId, before, except), (id) => this.whole(id))
  }

  /** The claims as they were when the events up to a place had been recorded. */
  at(place: number): HistoricalClaims {
    const get = (id: ClaimId) => this.#history.claim(id, place) ?? this.#freshBy(id, place)
    const parts = (id: MemoryId) => this.parts(id).filter((part) => get(part) !== undefined)
    const whole = (id: ClaimId) => wholeOf(id, { get, parts })
    return {
      get,
      parts,
      whole,
      opponents: (id) => this.#history.opponents(id, place),
      supersedes: (id) => {
        const all = [...this.#history.everSuperseded(id)]
        return new Set(all.filter((other) => get(other)?.supersededBy.includes(id)))
      },
      against: (contextId) => this.against(contextId).filter((record) => record.place <= place),
      lossOf: (contextId, before, except) => latestOf(this.held(contextId, before, except), whole),
    }
  }

  /** `place` is that of the event that made the changes; `at` needs it. */
  commit({ claims, disputes, lines }: Pick<Changes, 'claims' | 'disputes' | 'lines'>, place?: number): void {
    this.#version++
    for (const change of lines) this.lines.apply(change)
    for (const claim of claims.values()) {
      const isKept = this.#remake === undefined || this.#claims.has(claim.id) || !isPlain(claim)
      if (place !== undefined && isKept) this.#history.note(place, claim)
      this.#put(claim)
    }
    for (const { a, b, open } of disputes) {
      if (place !== undefined) this.#history.noteDispute(place, a, b, open)
      this.disputes.change(a, b, open)
      mark(this.#opponents, a, b, open)
      mark(this.#opponents, b, a, open)
    }
  }

  /** Adds the memory of a fresh claim that `remake` can make, without keeping the claim. */
  addFresh(contextId: ContextId, id: MemoryId, place: number): void {
    this.#membersOf(contextId).add(id, place)
  }

  readonly #isStanding = (id: MemoryId) => stands(this.whole(id))
  readonly #placeOf = (id: MemoryId) => this.get(id)?.place ?? 0

  #freshBy(id: ClaimId, place: number): Claim | undefined {
    const fresh = this.#remake?.(id)
    return fresh !== undefined && fresh.place <= place ? fresh : undefined
  }

  #put(claim: Claim): void {
    const memory = memoryOf(claim.id)
    const wholeBefore = this.#claims.has(memory) ? this.whole(memory) : undefined
    const before = this.#claims.get(claim.id)
    if (memory !== claim.id && before === undefined)
      this.#parts.set(memory, [...this.parts(memory), claim.id])
    if (this.#remake !== undefined && isPlain(claim)) this.#claims.delete(claim.id)
    else this.#claims.set(claim.id, claim)
    const members = this.#membersOf(claim.contextId)
    members.add(memory, claim.place)
    const whole = this.whole(memory)
    this.foundations.change(wholeBefore, whole)
    if (memory !== claim.id) this.foundations.changePart(before, claim)
    for (const by of before?.supersededBy ?? []) removeFrom(this.#supersedes, by, claim.id)
    for (const by of claim.supersededBy) addTo(this.#supersedes, by, claim.id)
    const stood = wholeBefore === undefined || stands(wholeBefore)
    if (stood && !stands(whole)) members.supersede(this.#isStanding)
    if (!stood && stands(whole)) members.standAgain(memory, this.#placeOf)
    for (const { contextId, ...record } of claim.against.slice(before?.against.length ?? 0))
      listOf(this.#against, contextId).push({ claim: memory, ...record })
  }

  #membersOf(contextId: ContextId): Members {
    return getOrAdd(this.#members, contextId, () => new Members())
  }
}

/** The latest supersession of some claims; undefined when there are none or one of them stands. */
export function latestOf(
  ids: Iterable<MemoryId>,
  get: (id: MemoryId) => Claim | undefined,
): Supersession | undefined {
  let latest: Supersession | undefined
  for (const id of ids) {
    const superseded = get(id)?.superseded
    if (superseded === undefined) return undefined
    if (superseded.place > (latest?.place ?? -1)) latest = superseded
  }
  return latest
}

/** Would `freshClaim` make the same claim from the row of its first event? */
function isPlain(claim: Claim): boolean {
  return (
    !claim.id.includes('#') &&
    claim.timesSeen === 1 &&
    isOnly(claim.speakers, 1) &&
    claim.superseded === undefined &&
    claim.rankFrom === undefined &&
    claim.disputes === 0 &&
    [claim.reinforces, claim.extends, claim.wholes, claim.against, claim.lost].every(isEmpty) &&
    isOnly(claim.stated, claim.place)
  )
}

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0
}

/** Is this the only value? */
function isOnly(values: Readonly<Record<string, number>>, value: number): boolean {
  const [first, ...others] = Object.values(values)
  return first === value && others.length === 0
}

/** The memories of one context by place. The standing ones are found fast, however many were superseded. */
class Members {
  readonly all: MemoryId[] = []
  #last = -1
  /** The standing memories, and those superseded since the last sweep. */
  #standing: MemoryId[] = []
  #superseded = 0

  add(id: MemoryId, place: number): void {
    if (place <= this.#last) return
    this.#last = place
    this.all.push(id)
    this.#standing.push(id)
  }

  supersede(isStanding: (id: MemoryId) => boolean): void {
    if (++this.#superseded > this.#standing.length / 2) this.#sweep(isStanding)
  }

  standAgain(id: MemoryId, placeOf: (id: MemoryId) => number): void {
    const place = placeOf(id)
    const before = countWhile(this.#standing, (other) => placeOf(other) < place)
    if (this.#standing[before] !== id) this.#standing.splice(before, 0, id)
  }

  latest(most: number, isStanding: (id: MemoryId) => boolean): MemoryId[] {
    const found: MemoryId[] = []
    for (let i = this.#standing.length - 1; i >= 0 && found.length < most; i--) {
      const id = this.#standing[i]
      if (id !== undefined && isStanding(id)) found.push(id)
    }
    return found.reverse()
  }

  earliest(isStanding: (id: MemoryId) => boolean): MemoryId | undefined {
    return this.#standing.find(isStanding)
  }

  #sweep(isStanding: (id: MemoryId) => boolean): void {
    this.#standing = this.#standing.filter(isStanding)
    this.#superseded = 0
  }
}

interface Version {
  readonly place: number
  readonly claim: Claim
}

interface PastDispute {
  readonly place: number
  readonly other: ClaimId
  readonly open: boolean
}

/** Every state that claims have been in, by the place of the event that caused it. */
class ClaimHistory {
  readonly #versions = new Map<ClaimId, Version[]>()
  readonly #disputes = new Map<ClaimId, PastDispute[]>()
  readonly #superseded = new Map<ClaimId, Set<ClaimId>>()

  note(place: number, claim: Claim): void {
    // Records against a context are found by their places; kept here, they would make each version longer than the last.
    const kept = claim.against.length === 0 ? claim : { ...claim, against: [] }
    listOf(this.#versions, claim.id).push({ place, claim: kept })
    for (const by of claim.supersededBy) addTo(this.#superseded, by, claim.id)
  }

  noteDispute(place: number, a: ClaimId, b: ClaimId, open: boolean): void {
    listOf(this.#disputes, a).push({ place, other: b, open })
    listOf(this.#disputes, b).push({ place, other: a, open })
  }

  /** The claim as it was at a place; undefined if no state of it had been noted by then. */
  claim(id: ClaimId, place: number): Claim | undefined {
    const versions = this.#versions.get(id) ?? []
    return versions[countUpTo(versions, place) - 1]?.claim
  }

  opponents(id: ClaimId, place: number): ReadonlySet<ClaimId> {
    const changes = this.#disputes.get(id) ?? []
    const open = new Set<ClaimId>()
    for (const change of changes.slice(0, countUpTo(changes, place))) {
      if (change.open) open.add(change.other)
      else open.delete(change.other)
    }
    return open
  }

  /** Every claim that this one has superseded at some time. */
  everSuperseded(by: ClaimId): ReadonlySet<ClaimId> {
    return this.#superseded.get(by) ?? new Set()
  }
}
