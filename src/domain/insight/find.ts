import type { Knowledge } from '../search/knowledge.js'
import { featuresOf } from './features.js'
import { MODELS } from './models.js'
import { gather, type Wanted } from './pool.js'
import type { EnginePorts } from './ports.js'
import { analyse } from './query.js'
import { type Found, rank } from './rank.js'

/** Retrieves memories that may answer a text, and ranks them by words, meaning, links and time. */
export async function find(
  knowledge: Knowledge,
  { texts, pause, models = MODELS }: Pick<EnginePorts, 'texts' | 'pause' | 'models'>,
  { text, isPast = false, ...wanted }: Wanted & { readonly text: string; readonly isPast?: boolean },
): Promise<Found> {
  const pool = await gather(knowledge, { texts, pause }, analyse(text, texts), wanted)
  await pause?.()
  // For questions about the past, replaced memories answer as well as others.
  const weights = isPast ? { ...models.retrieval, superseded: 0 } : models.retrieval
  return { pool, ranked: rank(pool, featuresOf(pool), weights) }
}
