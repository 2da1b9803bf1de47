import type { TextCache } from '../text-cache.js'
import type { AnswerReader } from './answer-reader.js'
import { readings } from './claims.js'
import {
  type ConfidenceLevel,
  confidenceFeaturesOf,
  type Doubt,
  doubtsAbout,
  levelOf,
  probability,
} from './confidence.js'
import { onlyAsks } from './entry.js'
import type { Gathered } from './evidence.js'
import type { Models } from './models.js'
import { accepts, type Candidate, candidatesOf, chance, formerOf, readAsShown } from './order.js'

/**
 * How the first line stands to the question. `part`: two linked memories answer only together. `former`: what was replaced
 * answers, and what replaced it does not. `open`: what fits best is itself a question.
 */
export type Kind = 'answer' | 'part' | 'former' | 'open' | 'nothing'

export interface Answer {
  readonly kind: Kind
  /** What the first line shows, or what is nearest; undefined in a graph that knows nothing near. */
  readonly lead: Candidate | undefined
  /** Of `part`, what it is read with. */
  readonly second?: Candidate | undefined
  readonly candidates: readonly Candidate[]
  readonly doubts: readonly Doubt[]
  /** 0..1: the fitted probability that the first line answers. */
  readonly score: number
  readonly level: ConfidenceLevel
}

/** How much likelier to answer a former memory must be than what stands. */
const FORMER_AHEAD = 0.5

/** The second reading refuses with some margin: nearer to nothing it is the score that tells. */
const REFUSED = -1

export interface AnswerTools {
  readonly reader: AnswerReader | undefined
  readonly texts: TextCache
  readonly models: Models
}

/** Which of the memories that were found answers the question, and how surely. */
export async function answer(question: string, gathered: Gathered, tools: AnswerTools): Promise<Answer> {
  const { lead, candidates } = await leadOf(question, gathered, tools)
  if (lead === undefined) return { kind: 'nothing', lead, candidates, doubts: [], score: 0, level: 'low' }
  const { thresholds } = tools.models
  const model = lead.logit === undefined ? tools.models.unread : tools.models.read
  const score = probability(confidenceFeaturesOf(gathered, candidates, lead), model)
  const doubts = doubtsAbout(gathered, candidates, lead)
  const known = { lead, candidates, doubts, score }
  if (onlyAsks(lead.item.memory.text)) return { ...known, kind: 'open', level: 'low' }
  if (score < thresholds.nothing) {
    const second = await completing(question, candidates, lead, tools.reader)
    if (second !== undefined) return { ...known, kind: 'part', second, level: 'medium' }
    return { ...known, kind: 'nothing', level: 'low' }
  }
  const level = isRefused(lead) ? 'low' : levelOf(score, thresholds)
  const isSure = doubts.length === 0 && !gathered.pool.query.isOneWord
  return {
    ...known,
    kind: lead.item.stands ? 'answer' : 'former',
    level: level === 'high' && !isSure ? 'medium' : level,
  }
}

/** Does it name its subject, and seem not to answer when it is read as it is shown? */
export function isRefused({ logit, shown }: Candidate): boolean {
  return shown !== undefined && shown !== logit && shown <= REFUSED
}

/** What the first line would show. For fitting, too. */
export async function leadOf(
  question: string,
  gathered: Gathered,
  { reader, texts, models }: AnswerTools,
): Promise<{ readonly lead: Candidate | undefined; readonly candidates: readonly Candidate[] }> {
  const all = await candidatesOf(question, gathered, { reader, texts }, models.order)
  const best = all[0] && (await readAsShown(question, all[0], reader))
  const candidates = best === undefined ? all : [best, ...all.slice(1)]
  if (best !== undefined && (best.logit === undefined || accepts(best))) return { lead: best, candidates }
  const former = (await formerOf(question, gathered, { reader, texts }))
    .filter((one) => accepts(one) && chance(one.logit ?? 0) - chance(best?.logit ?? 0) >= FORMER_AHEAD)
    .sort((a, b) => (b.logit ?? 0) - (a.logit ?? 0))[0]
  return { lead: former === undefined ? best : await readAsShown(question, former, reader), candidates }
}

/** The candidate linked to the lead that, read with it as one text, answers the question. */
async function completing(
  question: string,
  candidates: readonly Candidate[],
  lead: Candidate,
  reader: AnswerReader | undefined,
): Promise<Candidate | undefined> {
  const second = candidates.find((other) => other !== lead && isLinked(lead, other))
  if (second === undefined || lead.logit === undefined) return undefined
  const whole = [lead, second].map(({ claim }) => readings(claim)[0] ?? '').join('. ')
  const [logit] = (await reader?.logitsOf(question, [whole])) ?? []
  return accepts({ logit }) ? second : undefined
}

function isLinked({ item: { memory: a } }: Candidate, { item: { memory: b } }: Candidate): boolean {
  const names = (one: typeof a, other: typeof a) =>
    one.links.some(({ target }) => target === other.memoryId || target === other.contextId)
  return names(a, b) || names(b, a)
}
