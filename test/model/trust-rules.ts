import type { Source } from '../../src/domain/model.js'

/** The rules of trust written down once more, slow and plain: the whole history is gone through again each time. */

type Id = string
type Cause = { place: number; rank: number }
export type Links = readonly { readonly kind: string; readonly target: string }[]
type Event = {
  claim: Id
  context: string
  place: number
  rank: number
  bears: { kind: string; target: string; on: Id[] }[]
} & {
  opposes: { by: Id; against: Id }[]
  wholes: string[]
  /** What it extends that was superseded by then. */
  late: Set<Id>
  isBorrowed?: boolean
  lost: (Cause & { kind: string })[]
}
type Statement = Cause & { by: Id; moves: boolean }
type Claim = { id: Id; context: string; place: number; statements: Statement[]; open: Set<Id>; by: Id[] } & {
  /** Those of `open` that somebody weaker opened by restating the claim. */
  borrowed: Set<Id>
  superseded?: Cause | undefined
  from?: Cause
}
export type Judge = {
  sameThing(a: Id, b: Id): boolean
  saysTheSame(a: Id, b: Id): boolean
  mayReplace(later: Id, earlier: Id): boolean
  saysMuchMore(earlier: Id, later: Id): boolean
}

const RANKS: Record<Source, number> = { validator: 90, executor: 80, user: 70, agent: 60, system: 50 }

export class TrustRules {
  #events: Event[] = []
  #claims = new Map<Id, Claim>()
  #place = 0
  constructor(readonly judge: Judge) {}

  state(claim: Id, context: string, source: Source, links: Links): void {
    const named = links.map(({ target }) => target)
    const bears = links.map(({ kind, target }) => ({
      kind,
      target,
      on: this.#bearsOn(claim, kind, target, named),
    }))
    const wholes = bears.filter(
      ({ kind, target, on }) => kind === 'extends' && isContext(target) && on.length === 0,
    )
    const event = {
      claim,
      context,
      place: ++this.#place,
      rank: RANKS[source],
      bears,
      opposes: [],
      lost: [],
      late: new Set<Id>(),
    }
    this.#events.push({ ...event, wholes: wholes.map(({ target }) => target) })
    this.#reckon()
  }

  erase(gone: readonly Id[]): void {
    const causes = this.#causes()
    for (const claim of this.#claims.values()) {
      const last = this.#events.findLast((event) => event.claim === claim.id)
      for (const { base, kind } of this.#basesOf(claim.id).filter(({ base }) => gone.includes(base)))
        for (const cause of causes.get(base) ?? [])
          if (isLeft(claim, kind, cause)) last?.lost.push({ ...cause, kind })
      for (const { held, loss } of this.#wholesOf(claim))
        if (loss !== undefined && held.every(({ id }) => gone.includes(id)) && isLeft(claim, 'extends', loss))
          last?.lost.push({ ...loss, kind: 'extends' })
    }
    for (const id of [...gone].sort())
      for (const event of this.#events) {
        const earlier = this.#events
          .filter(({ place }) => place < event.place)
          .flatMap(({ opposes }) => opposes)
        for (const { by } of event.opposes.filter(({ by, against }) => against === id && by !== id))
          for (const { against } of earlier.filter(({ by }) => by === id))
            if (this.#mayOppose(event, by, against)) event.opposes.push({ by, against })
      }
    this.#events = this.#events.filter(({ claim }) => !gone.includes(claim))
    for (const event of this.#events) {
      event.opposes = event.opposes.filter(({ by, against }) => !gone.includes(by) && !gone.includes(against))
      event.bears = event.bears.filter(({ target }) => !gone.includes(target))
      for (const link of event.bears) link.on = link.on.filter((id) => !gone.includes(id))
    }
    this.#reckon()
  }

  tell(id: Id) {
    const claim = this.#get(id)
    const isStale = (this.#causes().get(id) ?? []).length > 0
    const heard = claim.statements.filter(({ by }) => by === id || this.#stands(by))
    // All events are of one key, so that a source counts once.
    const counted = new Set(heard.map(({ rank }) => rank)).size
    const sum = this.#rank(claim) + 5 * Math.min(4, counted - 1) - 10 * Math.min(3, claim.open.size)
    return {
      status: claim.superseded ? 'superseded' : isStale ? 'stale' : 'current',
      confidence: (claim.superseded ? 20 : Math.min(99, Math.max(20, sum))) / 100,
      supersededBy: [...claim.by].sort(),
      supersedes: [...this.#claims.values()]
        .filter(({ by }) => by.includes(id))
        .map(({ id }) => id)
        .sort(),
      disputedBy: [...claim.open].sort(),
      timesSeen: claim.statements.filter(({ by }) => by === id).length,
    }
  }

  #get(id: Id): Claim {
    const claim = this.#claims.get(id)
    if (claim === undefined) throw new Error(`There is no claim ${id}`)
    return claim
  }
  #stands = (id: Id) => this.#get(id).superseded === undefined

  #rank({ id, statements, from }: Claim): number {
    const counted = statements.filter(
      ({ by, place }) => (by === id || this.#stands(by)) && place >= (from?.place ?? 0),
    )
    return Math.max(from?.rank ?? 0, ...counted.map(({ rank }) => rank))
  }

  /** All texts are of prose alone. */
  #bearsOn(claim: Id, kind: string, target: string, named: readonly string[]): Id[] {
    if (!isContext(target)) return kind === 'related' ? [] : [target]
    if (kind === 'related') return []
    const { sameThing, saysTheSame, saysMuchMore, mayReplace } = this.judge
    const there = [...this.#claims.values()]
      .filter(({ id, context }) => context === target && this.#stands(id))
      .map(({ id }) => id)
      .filter((id) => id !== claim && !named.includes(id))
    const sure = there.filter((id) => sameThing(claim, id))
    if (kind === 'extends') return sure
    const agreeing = sure.filter((id) => saysTheSame(claim, id))
    if (kind === 'reinforces') return agreeing
    const replaced = sure.filter((id) => !agreeing.includes(id) && !saysMuchMore(id, claim))
    const agreesWithAll = sure.length > 0 && sure.length === agreeing.length
    if (replaced.length > 0 || agreesWithAll) return replaced
    return there.length === 1 ? there.filter((id) => mayReplace(claim, id)) : []
  }

  #stated = ({ claim, bears }: Event) => [claim, ...on(bears, 'reinforces')]

  #mayOppose(event: Event, by: Id, against: Id): boolean {
    const named = event.bears.filter(({ kind }) => kind !== 'contradicts').map(({ target }) => target)
    if (this.#stated(event).includes(against) || named.includes(against)) return false
    return this.judge.sameThing(by, against) && !this.judge.saysTheSame(by, against)
  }

  #inPlace(id: Id): Id[] {
    return this.#get(id).by.flatMap((next) => (this.#stands(next) ? [next] : this.#inPlace(next)))
  }

  #reckon(): void {
    this.#claims = new Map()
    for (const event of this.#events) this.#step(event)
  }

  #step(event: Event): void {
    const { claim: own, context, place, rank } = event
    const isNew = !this.#claims.has(own)
    const isBorrowed = !isNew && this.#ownRank(own, place) > rank
    event.wholes = event.wholes.filter(() => !isBorrowed)
    if (isNew)
      this.#claims.set(own, {
        id: own,
        context,
        place,
        statements: [],
        open: new Set(),
        by: [],
        borrowed: new Set(),
      })
    event.isBorrowed = isBorrowed
    const before = this.#events.filter((one) => one.claim === own && one.place < place && !one.isBorrowed)
    const extended = new Set(before.flatMap(({ bears }) => on(bears, 'extends')))
    const isLate = (id: Id) => this.#claims.has(id) && !this.#stands(id) && !extended.has(id)
    event.late = new Set(on(event.bears, 'extends').filter(isLate))
    const reinforced = [...new Set(on(event.bears, 'reinforces'))].filter((id) => id !== own)
    const stated = this.#stated(event)
    const contradicted = on(event.bears, 'contradicts').filter((id) => !stated.includes(id))
    const named = event.bears.filter(({ kind }) => kind !== 'contradicts').map(({ target }) => target)
    const isBelow = (id: Id) => this.#rank(this.#get(id)) <= rank
    const pairs = new Map(event.opposes.map((pair) => [`${pair.by} ${pair.against}`, pair]))
    const oppose = (by: Id, against: Id) => pairs.set(`${by} ${against}`, { by, against })
    const returns = new Map<Id, boolean>()
    const standing = new Set<Id>()
    const restate = (id: Id) => {
      if (this.#stands(id)) {
        standing.add(id)
        for (const other of this.#get(id).open)
          if (
            !stated.includes(other) &&
            !named.includes(other) &&
            isBelow(other) &&
            !this.#get(id).borrowed.has(other)
          )
            oppose(id, other)
        return
      }
      const inPlace = this.#inPlace(id).filter((other) => this.#mayOppose(event, id, other))
      const inTheWay = [...this.#get(id).by, ...inPlace]
      const stronger = inTheWay.filter((other) => !isBelow(other))
      const isNamed = (other: Id) => contradicted.includes(other)
      const insists = stronger.some(isNamed) && stronger.filter(this.#stands).every(isNamed)
      if (inTheWay.some((other) => stated.includes(other)) || (stronger.length > 0 && !insists)) return
      standing.add(id)
      returns.set(id, stronger.length > 0)
      for (const other of inPlace) oppose(id, other)
      if (stronger.length > 0)
        for (const other of inTheWay.filter(this.#stands).filter(isNamed)) oppose(id, other)
    }
    if (isNew) standing.add(own)
    else restate(own)
    for (const id of contradicted) {
      oppose(own, id)
      const supersedes = this.#stands(id) && isBelow(id)
      const others = [
        ...this.#inPlace(id),
        ...this.#basesOf(id, place)
          .filter(({ kind }) => kind === 'reinforces')
          .map(({ base }) => base),
        ...(supersedes ? this.#get(id).open : []),
      ]
      if (standing.has(own))
        for (const other of others)
          if (this.#stands(other) && this.#mayOppose(event, own, other)) oppose(own, other)
    }
    if (standing.has(own)) for (const id of reinforced) restate(id)
    event.opposes = [...pairs.values()].filter(({ against }) => !stated.includes(against))
    const effects = event.opposes
      .filter(({ by }) => standing.has(by))
      .map((pair) => ({ ...pair, stood: this.#stands(pair.against), below: isBelow(pair.against) }))

    for (const [id, disputed] of returns) {
      Object.assign(this.#get(id), {
        superseded: undefined,
        by: [],
        ...(disputed ? { from: { place, rank } } : {}),
      })
    }
    for (const id of [own, ...reinforced])
      this.#get(id).statements.push({ place, rank, by: own, moves: id === own || standing.has(own) })
    const stood = new Set([...this.#claims.keys()].filter(this.#stands))
    for (const { by, against, stood: didStand, below } of effects) {
      const other = this.#get(against)
      if (below) other.by = [...other.by.filter((id) => id !== by && stood.has(id)), by]
      if (below && didStand) other.superseded = { place, rank }
    }
    for (const { by, against, stood: didStand, below } of effects)
      if (didStand && !below) {
        const isOpen = this.#get(by).open.has(against)
        if (by === own && isBorrowed && !isOpen) this.#get(by).borrowed.add(against)
        if (by === own && !isBorrowed && isOpen) this.#get(by).borrowed.delete(against)
        this.#get(by).open.add(against)
        this.#get(against).open.add(by)
      }
    for (const claim of this.#claims.values())
      for (const other of claim.open)
        if (claim.superseded || !this.#stands(other)) {
          claim.open.delete(other)
          claim.borrowed.delete(other)
        }
  }

  #basesOf(id: Id, before = Number.POSITIVE_INFINITY) {
    const events = this.#events.filter(({ claim, place }) => claim === id && place < before)
    const strongest = this.#ownRank(id, before)
    const links = events.flatMap(({ bears, rank, place, late }) =>
      bears
        .filter(({ kind }) => (kind === 'extends' && rank >= strongest) || kind === 'reinforces')
        .map((link) => ({ ...link, place, late })),
    )
    return links.flatMap(({ kind, on, place, late }) =>
      on
        .filter((base) => base !== id)
        .map((base) => ({ kind, base, ...(kind === 'extends' && late.has(base) && { late: place }) })),
    )
  }

  #ownRank(id: Id, before: number): number {
    const own = this.#events.filter(({ claim, place }) => claim === id && place < before)
    return Math.max(0, ...own.map(({ rank }) => rank))
  }

  #wholesOf({ id }: Claim): { held: Claim[]; loss: Cause | undefined }[] {
    return this.#events
      .filter(({ claim }) => claim === id)
      .flatMap(({ wholes, place }) =>
        wholes.map((context) => {
          const held = [...this.#claims.values()].filter(
            (one) => one.context === context && one.place < place && one.id !== id,
          )
          const losses = held.flatMap(({ superseded }) => superseded ?? []).sort((a, b) => b.place - a.place)
          return { held, loss: losses.length === held.length ? losses[0] : undefined }
        }),
      )
  }

  #causes(): Map<Id, Cause[]> {
    const causes = new Map<Id, Cause[]>()
    for (const { id, superseded } of this.#claims.values()) causes.set(id, superseded ? [superseded] : [])
    for (let grew = true; grew; ) {
      grew = false
      for (const claim of this.#claims.values()) {
        if (claim.superseded) continue
        const own = this.#events.filter((event) => event.claim === claim.id).flatMap(({ lost }) => lost)
        const whole = this.#wholesOf(claim).flatMap(({ loss }) =>
          loss ? [{ ...loss, kind: 'extends' }] : [],
        )
        const built = this.#basesOf(claim.id).flatMap(({ base, kind, late }) =>
          (causes.get(base) ?? []).map((cause) => ({ ...cause, kind, late })),
        )
        const known = causes.get(claim.id) ?? []
        for (const { kind, place, rank, late } of [...own, ...whole, ...built] as (Cause & {
          kind: string
          late?: number
        })[]) {
          const isLate = late !== undefined && lastMove(claim) === late
          if (
            (!isLate && !isLeft(claim, kind, { place, rank })) ||
            known.some((one) => one.place === place && one.rank === rank)
          )
            continue
          known.push({ place, rank })
          grew = true
        }
      }
    }
    return causes
  }
}

const lastMove = ({ statements }: Claim) =>
  Math.max(...statements.flatMap(({ place, moves }) => (moves ? place : [])))
const isContext = (target: string) => target.includes(':')
const on = (bears: Event['bears'], wanted: string) =>
  bears.filter(({ kind }) => kind === wanted).flatMap(({ on }) => on)
const isLeft = ({ statements }: Claim, kind: string, cause: Cause) =>
  !statements.some(
    ({ place, rank, moves }) => moves && place >= cause.place && (kind === 'extends' || rank >= cause.rank),
  )
