import type { components } from '../contract/generated/api.js'
import type { Handlers } from '../contract/operations.js'
import { ok } from '../contract/reply.js'
import type { Evidence } from '../domain/insight/4-reconcile/reconcile.js'
import { conclude, type EnginePorts } from '../domain/insight/engine.js'
import type { Store } from '../store/store.js'
import { toContextFilter } from './wire.js'

export function insightHandlers(store: Store, engine: EnginePorts) {
  return {
    async generateInsight({ body }) {
      const scope = toContextFilter(body)
      const question = {
        task: body.task,
        limit: body.limit,
        ...(body.locus_query !== undefined && { locusQuery: body.locus_query }),
        ...(scope && { scope }),
      }
      const conclusion = await store.read(body.graph_id, (graph) => conclude(graph, engine, question))
      const { insight, recommendation, level: confidence } = conclusion
      if (!body.explain) return ok({ insight, recommendation, confidence })
      const reasons = [...conclusion.reasons()]
      const evidence = conclusion.evidence.map(fromEvidence)
      return ok({ insight, recommendation, confidence, score: conclusion.score, reasons, evidence })
    },
  } satisfies Pick<Handlers, 'generateInsight'>
}

function fromEvidence({ memory, role, relevance }: Evidence): components['schemas']['Evidence'] {
  return {
    memory_id: memory.memoryId,
    context_id: memory.contextId,
    text: memory.text,
    role,
    relevance: Math.round(relevance * 10_000) / 10_000,
    confidence: memory.trust.confidence,
  }
}
