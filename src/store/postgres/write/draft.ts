import type { ClockAndRandom } from '../../../domain/clock-and-random.js'
import { isMemoryId, nextMemoryId } from '../../../domain/ids.js'
import { refuseUnknownMemories } from '../../../domain/links.js'
import type { GraphId, MemoryId, NewMemory } from '../../../domain/model.js'
import type { EventPath } from '../../store.js'
import type { Session } from '../connection/session.js'
import { contentHash, documentOf } from '../schema/document.js'
import type { EventRecord, GraphRow } from '../schema/rows.js'

const SAME = {
  name: 'same-events',
  text: `SELECT m.content, m.memory_id FROM unnest($2::bytea[]) AS wanted(content) CROSS JOIN LATERAL (
      SELECT content, memory_id FROM memories WHERE graph_id = $1 AND content = wanted.content OFFSET 0) m`,
}
const KNOWN = {
  name: 'known-memories',
  text: `SELECT m.memory_id FROM unnest($2::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT memory_id FROM memories WHERE graph_id = $1 AND memory_id = wanted.id OFFSET 0) m`,
}

/** What several appends in a row become: they share one transaction. */
export class Draft {
  readonly #graph: GraphRow
  readonly #chance: ClockAndRandom
  readonly #contents: ReadonlyMap<NewMemory, Buffer>
  /** The memory that says the same, by content. */
  readonly #same: Map<string, MemoryId>
  readonly #known: ReadonlySet<MemoryId>

  private constructor(
    graph: GraphRow,
    chance: ClockAndRandom,
    contents: ReadonlyMap<NewMemory, Buffer>,
    same: Map<string, MemoryId>,
    known: ReadonlySet<MemoryId>,
  ) {
    this.#graph = { ...graph }
    this.#chance = chance
    this.#contents = contents
    this.#same = same
    this.#known = known
  }

  /** Looks up which of the events are there already, and which memories they name. */
  static async begin(
    session: Session,
    graphId: GraphId,
    graph: GraphRow,
    events: readonly NewMemory[],
    chance: ClockAndRandom,
  ): Promise<Draft> {
    const contents = new Map(events.map((event) => [event, contentHash(event)]))
    const named = events.flatMap(({ links }) => links.map(({ target }) => target).filter(isMemoryId))
    const [same, known] = await Promise.all([
      graph.memories === 0
        ? []
        : session.rows<{ content: Buffer; memory_id: string }>(SAME, [graphId, [...contents.values()]]),
      named.length === 0 ? [] : session.rows<{ memory_id: string }>(KNOWN, [graphId, named]),
    ])
    return new Draft(
      graph,
      chance,
      contents,
      new Map(same.map(({ content, memory_id }) => [content.toString('latin1'), memory_id])),
      new Set(known.map(({ memory_id }) => memory_id)),
    )
  }

  /** The records of one append, in order; throws, having changed nothing, when one of its events cannot be. */
  add(events: readonly NewMemory[], at: EventPath): EventRecord[] {
    events.forEach(({ links }, i) => {
      refuseUnknownMemories(links, at(i), (id) => this.#known.has(id))
    })
    return events.map((event) => this.#record(event))
  }

  #record(event: NewMemory): EventRecord {
    const graph = this.#graph
    const now = this.#chance.now()
    // The clock may step back; the order of recording does not.
    if (now.toISOString() > graph.last_recorded_at) graph.last_recorded_at = now.toISOString()
    const stamp = { seq: ++graph.last_seq, links: event.links, recordedAt: graph.last_recorded_at }
    const content = this.#contents.get(event) ?? contentHash(event)
    const same = this.#same.get(content.toString('latin1'))
    if (same !== undefined) return { op: 'sighted', id: same, ...stamp }
    graph.last_id = nextMemoryId(graph.last_id || undefined, now.getTime(), this.#chance.randomBytes(16))
    this.#same.set(content.toString('latin1'), graph.last_id)
    return {
      op: 'recorded',
      id: graph.last_id,
      context: event.contextId,
      kind: event.eventKind,
      source: event.source,
      payload: event.payload,
      content,
      document: documentOf(event.payload, event.contextId),
      occurredAt: event.occurredAt ?? graph.last_recorded_at,
      ...stamp,
    }
  }
}
