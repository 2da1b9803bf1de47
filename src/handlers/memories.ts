import type { components } from '../contract/generated/api.js'
import { type Caller, type Handlers, ok } from '../contract/operations.js'
import { recall, research } from '../domain/insight/engine.js'
import type { Ranked } from '../domain/insight/rank.js'
import { toMarkdown, withRoom } from '../domain/insight/recalled-text.js'
import { isAdmin } from '../domain/keys.js'
import { linksByField } from '../domain/links.js'
import type { Memory, MemoryId, Replaced } from '../domain/model.js'
import { plainText } from '../domain/text.js'
import type { Store } from '../store/store.js'
import { type AnswerPorts, engineFor, textEmbedder } from './asking.js'
import type { Erase } from './erasure.js'
import { toContextFilter, toWhen } from './wire.js'

type WireMemory = components['schemas']['Memory']
type WireRecalled = components['schemas']['RecalledMemory']

export function memoryHandlers(store: Store, engine: AnswerPorts, erase: Erase) {
  const embed = textEmbedder(store, engine)
  return {
    async recallMemories({ body }, caller) {
      const { query, limit, format, min_confidence, max_chars } = body
      const scope = toContextFilter(body)
      const when = toWhen(body, '/body')
      const vector = await embed.question(body.graph_id, query)
      const question = {
        task: query,
        limit,
        ...(scope && { scope }),
        ...(vector && { vector }),
      }
      const gathered = await store.readAt(body.graph_id, when, (graph, pause) =>
        research(graph, engineFor(engine, caller, pause), question),
      )
      const { ranked, level, answered } = await recall(
        gathered,
        engineFor(engine, caller),
        question,
        min_confidence,
      )
      const counted = (items_found: number) => ({
        items_found,
        confidence: level,
        ...(answered !== undefined && { answered }),
        ...(max_chars !== undefined && { left_out: ranked.length - items_found }),
      })
      if (format === 'json') {
        const items = withRoom(ranked, max_chars)
        return ok({ items: items.map(fromRanked), ...counted(items.length) })
      }
      const { memories, told } = toMarkdown(ranked, max_chars)
      return ok({ memories, ...counted(told) })
    },

    async getMemory({ path, query }, caller) {
      return store.readAt(path.graph_id, toWhen(query, '/query'), async (graph) =>
        ok(fromMemory(graph.memory(path.memory_id), caller)),
      )
    },

    async deleteMemory({ path, query }, caller) {
      return ok(await erase(path.graph_id, { memoryId: path.memory_id }, query, caller))
    },
  } satisfies Pick<Handlers, 'recallMemories' | 'getMemory' | 'deleteMemory'>
}

/** Only admins may see which key recorded a memory. */
export function fromMemory(memory: Memory, { principal }: Caller): WireMemory {
  const { recordedBy } = memory
  return {
    ...common(memory),
    place: memory.seq,
    ...(recordedBy !== undefined && isAdmin(principal) && { recorded_by: recordedBy }),
    links: linksByField(memory.links),
    superseded_by: latest(memory.trust.supersededBy),
    supersedes: latest(memory.trust.supersedes),
    times_seen: memory.timesSeen,
    last_stated_at: memory.trust.lastStatedAt,
  }
}

const MAX_IDS = 100

/** The latest ids: they are in the order of recording. */
function latest(ids: readonly MemoryId[]): MemoryId[] {
  return ids.slice(-MAX_IDS)
}

function fromRanked({ memory, score }: Ranked): WireRecalled {
  return { ...common(memory), score: Math.round(score * 10_000) / 10_000 }
}

function fromReplaced({ field, by, value }: Replaced): components['schemas']['ReplacedField'] {
  const text = value === undefined ? undefined : plainText(value)
  return { field, by, ...(text !== undefined && { text }) }
}

function common(memory: Memory): Omit<WireRecalled, 'score'> {
  const { replaced = [] } = memory.trust
  return {
    memory_id: memory.memoryId,
    context_id: memory.contextId,
    text: memory.text,
    payload: memory.payload,
    event_kind: memory.eventKind,
    source: memory.source,
    confidence: memory.trust.confidence,
    status: memory.trust.status,
    occurred_at: memory.occurredAt,
    recorded_at: memory.recordedAt,
    ...(memory.validFrom !== undefined && { valid_from: memory.validFrom }),
    ...(memory.validUntil !== undefined && { valid_until: memory.validUntil }),
    disputed_by: latest(memory.trust.disputedBy),
    ...(replaced.length > 0 && { replaced: replaced.map(fromReplaced) }),
  }
}
