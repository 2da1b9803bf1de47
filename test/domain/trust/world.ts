import { memoryField } from '../../../src/domain/links.js'
import type { ContextId, JsonObject, Link, LinkKind, MemoryId, Source } from '../../../src/domain/model.js'
import { type Assessment, assess, recordsAgainst } from '../../../src/domain/trust/claims/assess.js'
import { Changes } from '../../../src/domain/trust/claims/changes.js'
import type { Judgement } from '../../../src/domain/trust/claims/claims.js'
import { isStale } from '../../../src/domain/trust/claims/staleness.js'
import type { Recorded, Statement } from '../../../src/domain/trust/claims/types.js'
import { check } from '../../../src/domain/trust/decide/check.js'
import { connectedWith, decideWithout } from '../../../src/domain/trust/erase/erasure.js'
import { fieldsIn } from '../../../src/domain/trust/fields.js'
import { record, replay } from '../../../src/domain/trust/record.js'
import { ClaimTable } from '../../../src/domain/trust/table.js'

/** What a memory says, as far as the judgement of texts goes. */
export interface Text {
  readonly subject: string
  readonly says?: string
  readonly unsure?: boolean
  /** Where its fields matter. */
  readonly payload?: JsonObject
}

export interface Links {
  readonly contradicts?: readonly string[]
  readonly reinforces?: readonly string[]
  readonly extends?: readonly string[]
  readonly related?: readonly string[]
}

/** The id of the nth memory, in the form that the service gives ids. */
export function memoryId(n: number): MemoryId {
  return `mem_${String(n).padStart(26, '0')}`
}

/** What work in small steps comes to. */
function atOnce<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** A graph in memory: texts, events with their decisions, and the claims that these make. */
export class World {
  readonly texts = new Map<MemoryId, Text>()
  table = new ClaimTable()
  events: Recorded[] = []
  #place = 0
  readonly #contexts = new Map<MemoryId, ContextId>()

  readonly judgement: Judgement = {
    sameThing: (a, b) => {
      const [one, other] = [this.textOf(a), this.textOf(b)]
      return one.subject === other.subject && one.unsure !== true && other.unsure !== true
    },
    saysTheSame: (a, b) => this.textOf(a).says === this.textOf(b).says,
    fieldsOf: (id) => fieldsIn(this.textOf(id).payload ?? { text: id }, this.#contexts.get(id) ?? ''),
    likeness: () => 0,
    mayReplace: () => false,
    saysMuchMore: () => false,
  }

  textOf(id: MemoryId): Text {
    const text = this.texts.get(id)
    if (text === undefined) throw new Error(`${id} was judged, but its text is gone`)
    return text
  }

  state(
    id: MemoryId,
    source: Source,
    links: Links = {},
    fresh?: { text: Text; contextId: ContextId },
    recordedBy?: string,
    times: Pick<Statement, 'from' | 'until'> | undefined = undefined,
  ): Recorded {
    if (fresh !== undefined) {
      this.texts.set(id, fresh.text)
      this.#contexts.set(id, fresh.contextId)
    }
    const place = ++this.#place
    const recordedAt = new Date(place * 1000).toISOString()
    const statement = {
      place,
      claim: id,
      contextId: this.#contexts.get(id) ?? '',
      first: fresh !== undefined,
      source,
      links: toLinks(links),
      recordedAt,
      from: recordedAt,
      ...times,
      recordedBy,
    }
    const changes = new Changes(this.table)
    const recorded = record(statement, changes, this.judgement)
    this.table.commit(changes, place)
    this.events.push(recorded)
    return recorded
  }

  erase(...ids: MemoryId[]): void {
    const erased = new Set(ids)
    const contexts = ids.map((id) => this.#contexts.get(id) ?? '')
    const connected = atOnce(connectedWith(erased, contexts, this.events))
    const touched = this.events.filter(({ claim }) => connected.has(claim))
    const remaining = atOnce(decideWithout(erased, touched, this.table, this.judgement))
    const byPlace = new Map(remaining.map((event) => [event.place, event]))
    this.events = this.events.flatMap((event) =>
      erased.has(event.claim) ? [] : (byPlace.get(event.place) ?? event),
    )
    for (const id of ids) this.texts.delete(id)
    this.table = this.imported()
  }

  get ids(): MemoryId[] {
    return [...this.texts.keys()]
  }

  assess(id: MemoryId): Assessment & { supersedes: MemoryId[]; disputedBy: MemoryId[] } {
    const claim = this.table.get(id)
    if (claim === undefined) throw new Error(`There is no claim ${id}`)
    return {
      ...assess(claim, isStale(id, this.table)),
      supersededBy: [...claim.supersededBy].sort(),
      supersedes: [...this.table.supersedes(id)].sort(),
      disputedBy: [...this.table.opponents(id)].sort(),
    }
  }

  statusOf(id: MemoryId): string {
    return this.assess(id).status
  }

  /** Is the memory told with a contradiction that stands against its context? */
  isDoubted(id: MemoryId): boolean {
    const claim = this.table.get(id)
    if (claim === undefined) return false
    const records = recordsAgainst(claim, this.table.against(claim.contextId), (other) =>
      this.table.get(other),
    )
    return records.some((other) => this.textOf(other).subject === this.textOf(id).subject)
  }

  /** The claims that the kept decisions make by themselves; each is checked as an import would. */
  imported(): ClaimTable {
    const table = new ClaimTable()
    for (const event of this.events) {
      const changes = new Changes(table)
      const line = JSON.parse(JSON.stringify(event)) as Recorded
      const refusal = check(line, changes)
      if (refusal !== undefined) throw new Error(`${event.place}: ${refusal}`)
      replay(line, changes)
      table.commit(changes, line.place)
    }
    return table
  }
}

function toLinks({ contradicts, reinforces, extends: extended, related }: Links): Link[] {
  const of = (kind: LinkKind, targets: readonly string[] = []) =>
    targets.map((target) => ({ kind, ...(memoryField(target) ?? { target }) }))
  return [
    ...of('reinforcement', reinforces),
    ...of('extension', extended),
    ...of('contradiction', contradicts),
    ...of('related-to', related),
  ]
}
