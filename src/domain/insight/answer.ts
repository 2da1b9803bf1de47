import type { ClaimOnce } from '../search/knowledge.js'
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
import type { Gathered, Past } from './evidence.js'
import type { Models } from './models.js'
import { accepts, type Candidate, candidatesOf, chance, formerOf, readAsShown } from './order.js'
import { pastCandidates } from './past.js'

/**
 * How the first line answers the question. `part`: two linked memories answer only together. `former`: a replaced memory answers,
 * and its replacement does not. `past`: the question is about the past, and so is the answer. `open`: the best memory is itself
 * a question.
 */
type Kind = 'answer' | 'part' | 'former' | 'past' | 'open' | 'nothing'

export interface Answer {
  readonly kind: Kind
  /** The memory of the first line, or the nearest one; undefined if the graph has nothing near. */
  readonly lead: Candidate | undefined
  /** For `part`, the memory that `lead` is read with. */
  readonly second?: Candidate | undefined
  /** For `past`, the values of the thing and their times. */
  readonly line?: readonly ClaimOnce[] | undefined
  readonly candidates: readonly Candidate[]
  readonly doubts: readonly Doubt[]
  /** 0..1: the fitted probability that the first line answers. */
  readonly score: number
  readonly level: ConfidenceLevel
}

/** How much likelier a former memory must be to answer than the standing one. */
const FORMER_AHEAD = 0.5

/** From here down the second reading refuses a memory; above, the score decides. */
const REFUSED = -1

interface AnswerTools {
  readonly reader: AnswerReader | undefined
  readonly texts: TextCache
  readonly models: Models
}

/** Which memory answers the question, and how surely. */
export async function answer(question: string, gathered: Gathered, tools: AnswerTools): Promise<Answer> {
  const present = await presentAnswer(question, gathered, tools)
  return gathered.past === undefined
    ? present
    : await pastAnswer(question, gathered, gathered.past, present, tools)
}

/** The answer from the past, if the question is about it; at least as sure as `present`, if both are about the same thing. */
async function pastAnswer(
  question: string,
  gathered: Gathered,
  past: Past,
  present: Answer,
  tools: AnswerTools,
): Promise<Answer> {
  const { models } = tools
  const [best, ...others] = await pastCandidates(question, past, gathered, tools, models.order)
  if (best === undefined) return present
  const { line } = best
  const isOfLead = isIn(line, present.lead)
  const isAhead = chance(best.logit ?? 0) >= chance(present.lead?.logit ?? 0)
  const isAccepted = isAhead && (best.logit === undefined || accepts(best))
  // A memory that did not hold at the time in question is no answer.
  const isThen = past.asked.kind === 'then' && !others.some((one) => isIn(one.line, present.lead))
  if (!isOfLead && !isAccepted && !(isThen && (best.logit ?? 0) > REFUSED)) return present
  const own = probability(
    confidenceFeaturesOf(gathered, [best, ...others], best),
    best.logit === undefined ? models.unread : models.read,
  )
  const score = isOfLead ? Math.max(own, present.score) : own
  if (score < models.thresholds.nothing) return present
  const level = levelOf(score, models.thresholds)
  return { kind: 'past', lead: best, line, candidates: [best], doubts: [], score, level }
}

function isIn(line: readonly ClaimOnce[], lead: Candidate | undefined): boolean {
  return line.some(({ memory }) => memory.memoryId === lead?.item.memory.memoryId)
}

async function presentAnswer(question: string, gathered: Gathered, tools: AnswerTools): Promise<Answer> {
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

/** Does a candidate, read as it is shown, without its subject before it, seem not to answer? */
export function isRefused({ logit, shown }: Candidate): boolean {
  return shown !== undefined && shown !== logit && shown <= REFUSED
}

/** The candidate for the first line. Used for fitting, too. */
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

/** The candidate linked to the lead that answers the question if both are read as one text. */
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
