import type { components } from '../contract/generated/api.js'
import { type Handlers, ok } from '../contract/operations.js'
import { conclude, research } from '../domain/insight/engine.js'
import type { Evidence } from '../domain/insight/reconcile.js'
import type { Store } from '../store/store.js'
import { type AnswerPorts, engineFor, textEmbedder } from './asking.js'
import { toContextFilter, toWhen } from './wire.js'

export function insightHandlers(store: Store, engine: AnswerPorts) {
  const embed = textEmbedder(store, engine)
  return {
    async generateInsight({ body }, caller) {
      const scope = toContextFilter(body)
      const when = toWhen(body, '/body')
      const vector = await embed.question(body.graph_id, body.locus_query ?? body.task)
      const question = {
        task: body.task,
        limit: body.limit,
        ...(body.locus_query !== undefined && { locusQuery: body.locus_query }),
        ...(scope && { scope }),
        ...(vector && { vector }),
      }
      const { gathered, unread } = await store.readAt(body.graph_id, when, async (graph, pause) => ({
        gathered: await research(graph, engineFor(engine, caller, pause), question),
        unread: body.explain && engine.meaning ? graph.unread() : undefined,
      }))
      const conclusion = await conclude(gathered, engineFor(engine, caller), question)
      const { insight, recommendation, level: confidence } = conclusion
      if (!body.explain) return ok({ insight, recommendation, confidence })
      const reasons = [...conclusion.reasons()]
      const evidence = conclusion.evidence.map(fromEvidence)
      return ok({
        insight,
        recommendation,
        confidence,
        score: conclusion.score,
        reasons,
        ...(unread !== undefined && { unread }),
        evidence,
      })
    },
  } satisfies Pick<Handlers, 'generateInsight'>
}

function fromEvidence({ memory, role, relevance, foundBy }: Evidence): components['schemas']['Evidence'] {
  return {
    memory_id: memory.memoryId,
    context_id: memory.contextId,
    text: memory.text,
    role,
    relevance: Math.round(relevance * 10_000) / 10_000,
    found_by: [...foundBy],
    confidence: memory.trust.confidence,
  }
}
