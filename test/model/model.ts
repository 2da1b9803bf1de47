import { judgedByText } from '../../src/domain/judgement/judged-by-text.js'
import type { Source } from '../../src/domain/model.js'
import { rankOf } from '../../src/domain/trust/claims/rank.js'
import { TrustRules } from './trust-rules.js'

/** The four fields in which an event states links, with what a relationship calls each. */
export const KINDS = {
  reinforces: 'reinforcement',
  extends: 'extension',
  contradicts: 'contradiction',
  related_to: 'related-to',
} as const
export type LinkField = keyof typeof KINDS

export interface Link {
  readonly field: LinkField
  /** A context id or a memory id. */
  readonly target: string
}

export interface Thought {
  readonly context: string
  readonly kind: string
  readonly text: string
}

export interface Memory extends Thought {
  readonly id: string
  links: readonly Link[]
  timesSeen: number
  /** That of the strongest that has said it. */
  rank: number
}

/** What happened to a graph, from which the rules of trust are gone through again each time. */
type Step =
  | { readonly memory: Memory; readonly source: Source; readonly links: readonly Link[] }
  | { readonly erased: readonly string[] }

export interface Receipt {
  readonly event_id: string
  readonly context_id: string
  readonly status: string
  readonly confidence: number
  readonly bears_on: readonly { readonly memory_id: string }[]
}

export interface Key {
  readonly secret: string
  readonly scopes: readonly string[]
  readonly graphs: readonly string[] | undefined
}

/**
 * What the service should know, kept in the simplest way that can answer: for each graph its memories in order of
 * recording. Everything else is looked up from end to end.
 */
export class Model {
  readonly graphs = new Map<string, Memory[]>()
  readonly histories = new Map<string, readonly Step[]>()
  readonly keys = new Map<string, Key>()
  /** What each Idempotency-Key was first used for, and the answer it got, unless that was erased. */
  readonly once = new Map<string, { readonly body: string; readonly answer: Receipt | undefined }>()

  memories(graph: string): readonly Memory[] {
    return this.graphs.get(graph) ?? []
  }

  same(graph: string, { context, kind, text }: Thought): Memory | undefined {
    return this.memories(graph).find((it) => it.context === context && it.kind === kind && it.text === text)
  }

  record(graph: string, id: string, thought: Thought, source: Source, links: readonly Link[]): void {
    const known = this.same(graph, thought)
    const { context, kind, text } = thought
    const memory = known ?? {
      context,
      kind,
      text,
      id,
      links: distinct(links),
      timesSeen: 1,
      rank: rankOf(source),
    }
    if (known === undefined) this.graphs.set(graph, [...this.memories(graph), memory])
    else {
      known.timesSeen++
      // Who is weaker than those who said it before adds no links that are shown.
      if (rankOf(source) >= known.rank) {
        known.rank = rankOf(source)
        known.links = distinct([...known.links, ...links])
      }
    }
    this.#add(graph, { memory, source, links })
  }

  /** What the rules say of the memories of a graph. */
  trust(graph: string): TrustRules {
    const history = this.histories.get(graph) ?? []
    const texts = new Map(
      history.flatMap((step) => ('memory' in step ? [[step.memory.id, step.memory.text]] : [])),
    )
    const rules = new TrustRules(
      judgedByText((id) => ({ payload: { text: texts.get(id) ?? '' }, contextId: 'fact:any' })),
    )
    for (const step of history)
      if ('erased' in step) rules.erase(step.erased)
      else {
        const links = step.links.map(({ field, target }) => ({ kind: RULED[field], target }))
        rules.state(step.memory.id, step.memory.context, step.source, links)
      }
    return rules
  }

  #add(graph: string, step: Step): void {
    this.histories.set(graph, [...(this.histories.get(graph) ?? []), step])
  }

  /** The context that a link leads to. */
  end(graph: string, { target }: Link): string {
    return this.memories(graph).find(({ id }) => id === target)?.context ?? target
  }

  contexts(graph: string): string[] {
    const named = this.memories(graph).flatMap((memory) => [
      memory.context,
      ...memory.links.map((link) => this.end(graph, link)),
    ])
    return [...new Set(named)].sort(byCodeUnits)
  }

  /** The relationships of a context as texts: direction, kind, other end, weight. */
  relationships(graph: string, context: string): string[] {
    const stated = this.memories(graph).flatMap(({ id, context: from, links }) =>
      links.map((link) => ({ id, from, kind: KINDS[link.field], to: this.end(graph, link) })),
    )
    const weights = new Map<string, Set<string>>()
    const add = (end: string, id: string) => weights.set(end, (weights.get(end) ?? new Set()).add(id))
    for (const { id, from, kind, to } of stated) {
      if (from === context) add(`outgoing ${kind} ${to}`, id)
      if (to === context) add(`incoming ${kind} ${from}`, id)
    }
    return [...weights].map(([end, ids]) => `${end} ${ids.size}`).sort()
  }

  /** Erases, and says what went: the memories, how many links, how many contexts. */
  erase(graph: string, goes: (memory: Memory) => boolean): Erased {
    const before = this.memories(graph)
    const gone = new Set(before.filter(goes).map(({ id }) => id))
    const contexts = this.contexts(graph).length
    const links = countLinks(before)
    const left = before
      .filter(({ id }) => !gone.has(id))
      .map((memory) => ({ ...memory, links: memory.links.filter(({ target }) => !gone.has(target)) }))
    this.graphs.set(graph, left)
    this.#add(graph, { erased: [...gone] })
    const erased = {
      memory_ids: [...gone],
      memories: gone.size,
      relationships: links - countLinks(left),
      contexts: contexts - this.contexts(graph).length,
    }
    return erased
  }

  forget(graph: string): void {
    this.graphs.delete(graph)
    this.histories.delete(graph)
  }

  copy(): Model {
    const copy = new Model()
    for (const [graph, history] of this.histories) copy.histories.set(graph, history)
    for (const [graph, memories] of this.graphs)
      copy.graphs.set(
        graph,
        memories.map((memory) => ({ ...memory })),
      )
    return copy
  }
}

/** What the rules of trust call each field. */
const RULED = {
  reinforces: 'reinforces',
  extends: 'extends',
  contradicts: 'contradicts',
  related_to: 'related',
} as const satisfies Record<LinkField, string>

export interface Erased {
  readonly memory_ids: readonly string[]
  readonly memories: number
  readonly relationships: number
  readonly contexts: number
}

/** Names are one when they fold to one. */
export function fold(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replace(/\s+/gu, '_')
}

export function typeOf(context: string): string {
  return context.slice(0, context.indexOf(':'))
}

export function nameOf(context: string): string {
  return context.slice(context.indexOf(':') + 1)
}

export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function countLinks(memories: readonly Memory[]): number {
  return memories.reduce((sum, { links }) => sum + links.length, 0)
}

function distinct(links: readonly Link[]): readonly Link[] {
  const seen = new Set<string>()
  return links.filter(
    ({ field, target }) => !seen.has(`${field} ${target}`) && seen.add(`${field} ${target}`),
  )
}
