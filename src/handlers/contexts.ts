import type { components } from '../contract/generated/api.js'
import { type Handlers, ok } from '../contract/operations.js'
import type { Context, Relationship } from '../domain/model.js'
import { contextId, foldName, foldType, parseNameQuery, splitContextId } from '../domain/names.js'
import type { Store } from '../store/store.js'
import type { Erase } from './erasure.js'
import { fromMemory } from './memories.js'
import type { HandlerPorts } from './ports.js'
import { envelope, pinnedAsOf, pinnedTimes, toPaging, toWhen } from './wire.js'

type Schemas = components['schemas']

const QUERY = '/query'

export function contextHandlers(store: Store, erase: Erase, { now }: Pick<HandlerPorts, 'now'>) {
  return {
    async browseContexts({ path, query }) {
      return store.readAt(path.graph_id, toWhen(query, QUERY), async (graph) => {
        if (query.q === undefined) {
          const types = graph.contextTypes(toPaging(query))
          const counts = types.items.map(({ contextType, count }) => ({ context_type: contextType, count }))
          const body = { context_types: counts, ...envelope(types) }
          return { ...ok(body), ...pinnedAsOf(graph, types, query) }
        }
        const found = graph.searchContexts(parseNameQuery(query.q), toPaging(query))
        const body = { contexts: found.items.map(fromContext), ...envelope(found) }
        return { ...ok(body), ...pinnedAsOf(graph, found, query) }
      })
    },

    async listContexts({ path, query }) {
      const type = foldType(path.context_type, '/path/context_type')
      return store.readAt(path.graph_id, toWhen(query, QUERY), async (graph) => {
        const contexts = graph.contextsOfType(type, toPaging(query))
        const body = { contexts: contexts.items.map(fromContext), ...envelope(contexts) }
        return { ...ok(body), ...pinnedAsOf(graph, contexts, query) }
      })
    },

    async getContext({ path, query }, caller) {
      const id = toContextId(path)
      return store.readAt(path.graph_id, toWhen(query, QUERY), async (graph) => {
        const context = graph.context(id)
        const memories = graph.contextMemories(id, toPaging(query))
        const body = {
          ...fromContext(context),
          created_at: context.createdAt,
          memories: memories.items.map((memory) => fromMemory(memory, caller)),
          ...envelope(memories),
        }
        return { ...ok(body), ...pinnedTimes(graph, memories, query, now()) }
      })
    },

    async deleteContext({ path, query }, caller) {
      return ok(await erase(path.graph_id, { contextId: toContextId(path) }, query, caller))
    },

    async listRelationships({ path, query }) {
      const id = toContextId(path)
      return store.readAt(path.graph_id, toWhen(query, QUERY), async (graph) => {
        const relationships = graph.relationships(id, {
          ...(query.kind !== undefined && { kind: query.kind }),
          ...(query.direction !== 'both' && { direction: query.direction }),
        })
        return ok({
          context_id: id,
          relationships: relationships.map(fromRelationship),
          total: relationships.length,
        })
      })
    },
  } satisfies Pick<
    Handlers,
    'browseContexts' | 'listContexts' | 'getContext' | 'deleteContext' | 'listRelationships'
  >
}

export function toContextId(path: { readonly context_type: string; readonly name: string }): string {
  return contextId(foldType(path.context_type, '/path/context_type'), foldName(path.name, '/path/name'))
}

function fromContext(context: Context): Schemas['ContextSummary'] {
  return {
    context_id: context.contextId,
    context_type: context.contextType,
    context_name: context.contextName,
    memory_count: context.memoryCount,
    updated_at: context.updatedAt,
  }
}

function fromRelationship(relationship: Relationship): Schemas['Relationship'] {
  const { type, name } = splitContextId(relationship.contextId)
  return {
    kind: relationship.kind,
    direction: relationship.direction,
    context_id: relationship.contextId,
    context_type: type,
    context_name: name,
    weight: relationship.weight,
    first_seen: relationship.firstSeen,
    last_seen: relationship.lastSeen,
  }
}
