import { isMemoryId } from '../../../domain/ids.js'
import type { ContextId, GraphId, Link, MemoryId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'
import type { Relation } from './relations.js'

const CONTEXTS = {
  name: 'erase-linked-contexts',
  text: `SELECT c.context_id AS target, c.context_no FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT context_id, context_no FROM contexts WHERE graph_id = $1 AND context_id = wanted.id OFFSET 0) c`,
}
const MEMORIES = {
  name: 'erase-linked-memories',
  text: `SELECT m.memory_id AS target, m.context_no, m.seq FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id, context_no, seq FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m`,
}

interface Target {
  readonly target: ContextId | MemoryId
  readonly context_no: number
  /** Undefined for a context. */
  readonly seq?: number
}

/** What links lead to. */
export class Targets {
  readonly #targets: ReadonlyMap<string, Target>

  private constructor(targets: readonly Target[]) {
    this.#targets = new Map(targets.map((one) => [one.target, one]))
  }

  static async load(session: Session, graphId: GraphId, links: readonly Link[]): Promise<Targets> {
    const named = [...new Set(links.map(({ target }) => target))]
    const contexts = named.filter((target) => !isMemoryId(target))
    const [ofContexts, ofMemories] = await Promise.all([
      session.rows<Target>(CONTEXTS, [graphId, contexts]),
      session.rows<Target>(MEMORIES, [graphId, named.filter(isMemoryId)]),
    ])
    return new Targets([...ofContexts, ...ofMemories])
  }

  /** The relation that a link of a memory in this context states. */
  relation(from_no: number, { kind, target }: Link): Relation {
    const to_no = this.#targets.get(target)?.context_no
    if (to_no === undefined) throw new Error(`The target ${target} of a link is not there.`)
    return { from_no, kind, to_no }
  }

  /** Undefined for a link to a context. */
  seqOf({ target }: Link): number | undefined {
    return this.#targets.get(target)?.seq
  }
}
