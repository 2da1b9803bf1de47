import { assessmentOf } from './assessment.js'
import type { ContextRow, MemoryRow } from './rows.js'

/**
 * Which contexts build on something that was replaced, and when it last was. Worked out for the whole graph at once,
 * from what was replaced towards what extends it, and only again after something that could change it.
 */
export class Staleness {
  readonly #contradicted = new Set<MemoryRow>()
  #replacedAt: Map<ContextRow, number> | undefined

  contradicted(memory: MemoryRow): void {
    this.#contradicted.add(memory)
    this.#replacedAt = undefined
  }

  /** Something was said that may settle or unsettle a contradiction, or a context extends another one. */
  changed(): void {
    this.#replacedAt = undefined
  }

  get isPossible(): boolean {
    return this.#contradicted.size > 0
  }

  /** Does the context of the memory extend, directly or through others, one that lost a memory after this one came? */
  buildsOnReplaced(memory: MemoryRow): boolean {
    if (!this.isPossible) return false
    this.#replacedAt ??= this.#workOut()
    return (this.#replacedAt.get(memory.context) ?? 0) > memory.seq
  }

  /** The latest loss comes first, so that the first thing to reach a context is what counts for it. */
  #workOut(): Map<ContextRow, number> {
    const losses: { context: ContextRow; at: number }[] = []
    for (const memory of this.#contradicted) {
      const at = assessmentOf(memory).supersededAt
      if (at !== undefined) losses.push({ context: memory.context, at })
    }
    losses.sort((a, b) => b.at - a.at)
    const replacedAt = new Map<ContextRow, number>()
    const spread = new Set<ContextRow>()
    for (const { context, at } of losses) {
      const queue = [context]
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        if (spread.has(next)) continue
        spread.add(next)
        for (const { kind, other } of next.incoming.values()) {
          if (kind !== 'extension') continue
          if (!replacedAt.has(other)) replacedAt.set(other, at)
          queue.push(other)
        }
      }
    }
    return replacedAt
  }
}
