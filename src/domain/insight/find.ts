import type { Knowledge } from '../search/knowledge.js'
import { featuresOf } from './features.js'
import { MODELS } from './models.js'
import { gather, type Wanted } from './pool.js'
import type { EnginePorts } from './ports.js'
import { analyse } from './query.js'
import { type Found, rank } from './rank.js'

/** Retrieves what may answer a text, and ranks it by words, meaning, links and time. */
export async function find(
  knowledge: Knowledge,
  { texts, pause, models = MODELS }: Pick<EnginePorts, 'texts' | 'pause' | 'models'>,
  { text, ...wanted }: Wanted & { readonly text: string },
): Promise<Found> {
  const pool = await gather(knowledge, { texts, pause }, analyse(text, texts), wanted)
  await pause?.()
  return { pool, ranked: rank(pool, featuresOf(pool), models.retrieval) }
}
