import type { Knowledge } from '../../search/knowledge.js'
import type { Found } from '../3-rank/find.js'
import { withRecordsAgainst } from './against.js'
import { withDifferences } from './differences.js'
import { withOtherSides } from './other-sides.js'
import { type Evidence, reconcile } from './reconcile.js'
import { withReplacements } from './replacements.js'
import { withWhatShookThem } from './shaken.js'

/** As much as an answer has room for, whatever was asked for and stands against it. */
const MOST_EVIDENCE = 100

/** What an insight rests on: the memories found, with everything that speaks against them, whatever the limit left out. */
export async function evidenceOf(
  knowledge: Pick<Knowledge, 'latest' | 'memories' | 'recordsAgainst' | 'vectors'>,
  found: Pick<Found, 'ranked'>,
  limit: number,
): Promise<readonly Evidence[]> {
  const standing = await withReplacements(knowledge, reconcile(found, limit))
  const whole = await withWhatShookThem(knowledge, await withOtherSides(knowledge, standing))
  const evidence = withDifferences(await withRecordsAgainst(knowledge, whole, found.ranked), found.ranked)
  return evidence.slice(0, MOST_EVIDENCE)
}
