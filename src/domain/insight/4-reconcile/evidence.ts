import type { Knowledge } from '../../search/knowledge.js'
import type { Found } from '../3-rank/find.js'
import { withRecordsAgainst } from './against.js'
import { withDifferences } from './differences.js'
import { withOtherSides } from './other-sides.js'
import { type Evidence, reconcile } from './reconcile.js'
import { withReplacements } from './replacements.js'
import { withRuleFirst } from './rule-first.js'
import { withWhatShookThem } from './shaken.js'

/** As much as an answer has room for, whatever was asked for and stands against it. */
const MOST_EVIDENCE = 100

/** What an insight rests on: the memories found, with everything that speaks against them, whatever the limit left out. */
export async function evidenceOf(
  knowledge: Pick<Knowledge, 'latest' | 'memories' | 'recordsAgainst' | 'vectors'>,
  { pool, ranked }: Found,
  limit: number,
): Promise<readonly Evidence[]> {
  const standing = await withReplacements(knowledge, reconcile({ ranked }, limit))
  const whole = await withWhatShookThem(knowledge, await withOtherSides(knowledge, standing))
  const evidence = withDifferences(await withRecordsAgainst(knowledge, whole, ranked), ranked)
  return withRuleFirst(evidence, pool.query).slice(0, MOST_EVIDENCE)
}
