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
 * How the first line stands to the question. `part`: two linked memories answer only together. `former`: what was replaced
 * answers, and what replaced it does not. `past`: the past is asked about, and that is what was so. `open`: what fits best is
 * itself a question.
 */
export type Kind = 'answer' | 'part' | 'former' | 'past' | 'open' | 'nothing'

export interface Answer {
  readonly kind: Kind
  /** What the first line shows, or what is nearest; undefined in a graph that knows nothing near. */
  readonly lead: Candidate | undefined
  /** Of `part`, what it is read with. */
  readonly second?: Candidate | undefined
  /** Of `past`, what was so when. */
  readonly line?: readonly ClaimOnce[] | undefined
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
  const present = await presentAnswer(question, gathered, tools)
  return gathered.past === undefined
    ? present
    : await pastAnswer(question, gathered, gathered.past, present, tools)
}

/** What was so then, if that is what the question is about: as surely as that answers which has taken its place. */
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
  // What was not so at the time that is asked about is no answer.
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
