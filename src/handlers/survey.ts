import type { components } from '../contract/generated/api.js'
import { type Caller, type Handlers, ok } from '../contract/operations.js'
import { linksByField } from '../domain/links.js'
import type { GraphCounts } from '../domain/survey/counts.js'
import type { PastStatement, PastSupersession, Spell, TimelineItem } from '../domain/survey/history.js'
import type { Dispute, StaleMemory } from '../domain/survey/lists.js'
import type { Neighbourhood } from '../domain/survey/neighbourhood.js'
import type { Store } from '../store/store.js'
import { toContextId } from './contexts.js'
import { fromBearing } from './events.js'
import { fromMemory } from './memories.js'
import { envelope, toPaging } from './wire.js'

type Schemas = components['schemas']

/** Reads that give an overview: neighbourhood, disputes, stale memories, history, timeline and counts. */
export function surveyHandlers(store: Store) {
  return {
    async getNeighbourhood({ path, query: { depth, limit } }) {
      const id = toContextId(path)
      return store.read(path.graph_id, async (graph) =>
        ok({ context_id: id, ...fromNeighbourhood(graph.neighbourhood(id, { depth, limit })) }),
      )
    },

    async listDisputes({ path, query }, caller) {
      return store.read(path.graph_id, async (graph, pause) => {
        const disputes = await graph.disputes(toPaging(query), pause)
        return ok({
          disputes: disputes.items.map((dispute) => fromDispute(dispute, caller)),
          ...envelope(disputes),
        })
      })
    },

    async listStale({ path, query }, caller) {
      return store.read(path.graph_id, async (graph, pause) => {
        const stale = await graph.stale(toPaging(query), pause)
        const items = stale.items.map((one) => fromStale(one, caller))
        return ok({ stale: items, ...envelope(stale), more_stale: stale.isCut })
      })
    },

    async getMemoryHistory({ path: { graph_id, memory_id }, query }) {
      return store.read(graph_id, async (graph) => {
        const history = graph.history(memory_id, toPaging(query))
        return ok({
          memory_id,
          statements: history.items.map((statement) => fromStatement(statement, memory_id)),
          supersedes: history.supersedes.map(fromSupersession),
          superseded_by: history.supersededBy.map(fromSupersession),
          spells: history.spells.map(fromSpell),
          ...envelope(history),
        })
      })
    },

    async getContextTimeline({ path, query }) {
      const id = toContextId(path)
      return store.read(path.graph_id, async (graph) => {
        const timeline = await graph.timeline(id, toPaging(query))
        return ok({ context_id: id, timeline: timeline.items.map(fromTimelineItem), ...envelope(timeline) })
      })
    },

    async getGraph({ path: { graph_id } }) {
      return store.read(graph_id, async (graph, pause) =>
        ok({ graph_id, ...fromCounts(await graph.counts(pause)) }),
      )
    },
  } satisfies Pick<
    Handlers,
    'getNeighbourhood' | 'listDisputes' | 'listStale' | 'getMemoryHistory' | 'getContextTimeline' | 'getGraph'
  >
}

function fromNeighbourhood({
  contexts,
  links,
  leftOut,
}: Neighbourhood): Omit<Schemas['Neighbourhood'], 'context_id'> {
  return {
    contexts: contexts.map(({ contextId, contextType, contextName, memoryCount, distance }) => ({
      context_id: contextId,
      context_type: contextType,
      context_name: contextName,
      memory_count: memoryCount,
      distance,
    })),
    relationships: links.map(({ firstSeen, lastSeen, ...link }) => ({
      ...link,
      first_seen: firstSeen,
      last_seen: lastSeen,
    })),
    left_out: { contexts: leftOut.contexts, relationships: leftOut.links, unexplored: leftOut.unexplored },
  }
}

function fromDispute({ earlier, later, field }: Dispute, caller: Caller): Schemas['Dispute'] {
  return {
    since: later.recordedAt,
    earlier: fromMemory(earlier, caller),
    later: fromMemory(later, caller),
    ...(field !== undefined && { field }),
  }
}

function fromStale({ memory, because }: StaleMemory, caller: Caller): Schemas['StaleMemory'] {
  return {
    memory: fromMemory(memory, caller),
    because: because.map(({ memoryId, contextId, supersededBy }) => ({
      memory_id: memoryId,
      context_id: contextId,
      superseded_by: [...supersededBy],
    })),
  }
}

function fromStatement(statement: PastStatement, of: string): Schemas['MemoryStatement'] {
  return {
    place: statement.place,
    event_id: statement.memoryId,
    own: statement.memoryId === of,
    source: statement.source,
    recorded_at: statement.recordedAt,
    occurred_at: statement.occurredAt,
    links: linksByField(statement.links),
    bears_on: statement.bearsOn.map(fromBearing),
  }
}

function fromSupersession(one: PastSupersession): Schemas['Supersession'] {
  return { memory_id: one.memoryId, place: one.place, recorded_at: one.recordedAt, source: one.source }
}

function fromSpell({ field, validFrom, validTo, by }: Spell): Schemas['Spell'] {
  return {
    ...(field !== undefined && { field }),
    valid_from: validFrom,
    ...(validTo !== undefined && { valid_to: validTo }),
    ...(by !== undefined && { by }),
  }
}

function fromTimelineItem({ memory, text, isSeries, ...spell }: TimelineItem): Schemas['TimelineItem'] {
  return {
    memory_id: memory.memoryId,
    text,
    ...fromSpell(spell),
    status: memory.trust.status,
    ...(isSeries && { series: true }),
  }
}

function fromCounts(counts: GraphCounts): Omit<Schemas['GraphDetail'], 'graph_id'> {
  const { memories, contexts, relationships, statements, firstAt, lastAt } = counts
  const { superseded, planned, expired, stale } = counts
  const current = memories - superseded - planned - expired - stale
  return {
    memories,
    contexts,
    relationships,
    statements,
    by_context_type: counts.types.map((type) => ({
      context_type: type.contextType,
      contexts: type.contexts,
      memories: type.memories,
    })),
    by_event_kind: { ...counts.kinds },
    by_source: { ...counts.sources },
    by_status: { current, superseded, planned, expired, stale },
    more_stale: counts.isStaleCut,
    by_month: [...counts.months],
    ...(firstAt !== undefined && { first_recorded_at: firstAt }),
    ...(lastAt !== undefined && { last_recorded_at: lastAt }),
    place: counts.place,
    unread: counts.unread,
  }
}
