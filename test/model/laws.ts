import { expect } from 'vitest'
import type { OperationId } from '../../src/contract/operations.js'
import type { Api, Call } from '../support/api.js'
import { byCodeUnits, type Model, nameOf, typeOf } from './model.js'

/** What must hold of a graph whatever has happened to it: every read says what the model says. */
export async function checkGraph(api: Api, model: Model, graph: string): Promise<void> {
  const path = { graph_id: graph }
  if (!model.graphs.has(graph)) {
    await api.refused('browseContexts', { path }, 404, 'graph_not_found')
    return
  }
  const contexts = model.contexts(graph)
  const types = [...new Set(contexts.map(typeOf))].sort(byCodeUnits)
  const listed = await walk(api, 'browseContexts', { path }, 'context_types')
  expect(listed).toEqual(
    types.map((type) => ({
      context_type: type,
      count: contexts.filter((context) => typeOf(context) === type).length,
    })),
  )
  for (const type of types) {
    const ofType = await walk(api, 'listContexts', { path: { ...path, context_type: type } }, 'contexts')
    expect(ofType.map(({ context_id, memory_count }) => [context_id, memory_count])).toEqual(
      contexts
        .filter((context) => typeOf(context) === type)
        .sort((a, b) => byCodeUnits(nameOf(a), nameOf(b)))
        .map((context) => [context, model.memories(graph).filter((it) => it.context === context).length]),
    )
  }
  for (const context of contexts) await checkContext(api, model, graph, context)
}

async function checkContext(api: Api, model: Model, graph: string, context: string): Promise<void> {
  const path = { graph_id: graph, context_type: typeOf(context), name: nameOf(context) }
  const memories = await walk(api, 'getContext', { path }, 'memories')
  const rules = model.trust(graph)
  const expected = model.memories(graph).filter((memory) => memory.context === context)
  expect(memories.map(({ memory_id, times_seen, links }) => ({ memory_id, times_seen, links }))).toEqual(
    expected.reverse().map(({ id, timesSeen, links }) => ({
      memory_id: id,
      times_seen: timesSeen,
      links: Object.fromEntries(
        (['reinforces', 'extends', 'contradicts', 'related_to'] as const).map((field) => [
          field,
          links.filter((link) => link.field === field).map(({ target }) => target),
        ]),
      ),
    })),
  )
  for (const { memory_id, status, confidence, superseded_by, supersedes, disputed_by } of memories) {
    const { timesSeen: _, ...trust } = rules.tell(String(memory_id))
    expect({
      status,
      confidence,
      supersededBy: superseded_by,
      supersedes,
      disputedBy: disputed_by,
    }).toEqual(trust)
  }
  // A link seen from one end is seen from the other, since the model says both from the same memories.
  const { relationships, total } = (await api.ok('listRelationships', { path })).body
  expect(
    relationships.map(
      ({ direction, kind, context_id, weight }) => `${direction} ${kind} ${context_id} ${weight}`,
    ),
  ).toHaveLength(total)
  expect(
    relationships
      .map(({ direction, kind, context_id, weight }) => `${direction} ${kind} ${context_id} ${weight}`)
      .sort(),
  ).toEqual(model.relationships(graph, context))
}

/** All pages joined; they must agree on the total and add up to it. */
export async function walk(
  api: Api,
  id: OperationId,
  call: Call,
  items: string,
  size = 2,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let page = 0; ; page++) {
    const { body } = await api.ok(id, { ...call, query: { ...call.query, page, page_size: size } })
    // A boundary: which list an answer holds depends on the operation.
    const { [items]: some, total } = body as unknown as Record<string, Record<string, unknown>[]> & {
      total: number
    }
    expect(some?.length ?? 0).toBe(Math.max(0, Math.min(size, total - page * size)))
    all.push(...(some ?? []))
    if ((page + 1) * size >= total) {
      expect(all).toHaveLength(total)
      return all
    }
  }
}
