import type { ContextFilter, Knowledge } from '../search/knowledge.js'
import type { EnginePorts } from './1-analyse/ports.js'
import { find } from './3-rank/find.js'
import { type Ranked, worthwhile } from './3-rank/rank.js'
import { evidenceOf } from './4-reconcile/evidence.js'
import type { Evidence } from './4-reconcile/reconcile.js'
import { type Said, say } from './5-say/say.js'
import { type Calibration, calibrate } from './6-calibrate/calibrate.js'

export type { EnginePorts } from './1-analyse/ports.js'

export interface Question {
  readonly task: string
  /** What to search for instead of the task. */
  readonly locusQuery?: string
  readonly scope?: ContextFilter
  /** The most memories to consider. */
  readonly limit: number
  /** The meaning of what is searched for; left out if it was not read. */
  readonly vector?: Int8Array
}

export interface Conclusion extends Said, Calibration {
  readonly evidence: readonly Evidence[]
  /** The memories that fit best, the best first: what the evidence was made from. */
  readonly ranked: readonly Ranked[]
}

/** Analyse, retrieve, rank, reconcile, say, calibrate. The same graph and question give the same conclusion. */
export async function conclude(
  knowledge: Knowledge,
  ports: EnginePorts,
  { task, locusQuery, scope, vector, limit }: Question,
): Promise<Conclusion> {
  const found = await find(knowledge, ports, { text: locusQuery ?? task, scope, vector, limit })
  await ports.pause?.()
  const evidence = await evidenceOf(knowledge, found, limit)
  await ports.pause?.()
  const said = say(task, evidence)
  await ports.pause?.()
  const ranked = worthwhile(found.ranked, limit)
  return { ...said, ...calibrate(found, evidence, said), evidence, ranked }
}
