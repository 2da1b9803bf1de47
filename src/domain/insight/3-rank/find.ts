import type { Knowledge } from '../../search/knowledge.js'
import type { EnginePorts } from '../1-analyse/ports.js'
import { analyse } from '../1-analyse/query.js'
import { gather, type Pool, type Wanted } from '../2-retrieve/pool.js'
import { featuresOf } from './features.js'
import { type Ranked, rank } from './rank.js'
import { WEIGHTS } from './weights.js'

export interface Found {
  readonly pool: Pool
  readonly ranked: readonly Ranked[]
}

/** What a graph knows that bears on a text, the best first. */
export async function find(
  knowledge: Knowledge,
  ports: Pick<EnginePorts, 'texts' | 'pause'>,
  { text, ...wanted }: Wanted & { readonly text: string },
  weights = WEIGHTS,
): Promise<Found> {
  const pool = await gather(knowledge, ports, analyse(text, ports.texts), wanted)
  await ports.pause?.()
  return { pool, ranked: rank(pool, featuresOf(pool), weights) }
}
