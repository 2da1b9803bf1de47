import { stemsOf } from '../search/text-analysis.js'
import type { TextCache } from '../text-cache.js'
import { rankOf } from '../trust/claims/rank.js'
import type { AnswerReader } from './answer-reader.js'
import { type Claim, claimOf, readings, shownReading } from './claims.js'
import { maxBy } from './entry.js'
import type { Gathered } from './evidence.js'
import type { Ranked } from './rank.js'
import { disagree, type Evidence } from './reconcile.js'

/** A memory that may answer, with the reader's verdict. */
export interface Candidate {
  readonly item: Evidence
  readonly claim: Claim
  /** Above 0 if it is likelier than not that it answers; undefined if it was not read. */
  readonly logit?: number | undefined
  /** For the first line: the logit of the text as it is shown. */
  readonly shown?: number | undefined
  /** The part of the claim that answers best. */
  readonly part: number
  /** Candidates are ordered by it. */
  readonly score: number
}

/** The features that order candidates, in the order of the weights. */
export const ORDER_FEATURES = [
  'found',
  'logit',
  'answers',
  'newest',
  'contested',
  'contests',
  'meant',
] as const
type OrderFeature = (typeof ORDER_FEATURES)[number]
export type OrderWeights = Readonly<Record<OrderFeature, number>>

/** On the labelled graphs, reading more chose no better; each costs some thirty milliseconds. */
const MAX_READ = 3
const MAX_PARTS_READ = 4
/** For all candidates together: about 180 word pieces. */
const MAX_CHARACTERS_READ = 900
/** Two accepted claims of a context with chances that differ by less than this are values of one thing. */
const NEAR = 0.25

/** The best standing evidence, as the reader judges it: the best answer first. */
export async function candidatesOf(
  question: string,
  gathered: Gathered,
  { reader, texts }: { readonly reader: AnswerReader | undefined; readonly texts: TextCache },
  weights: OrderWeights,
): Promise<readonly Candidate[]> {
  const chosen = chosenOf(gathered, reader !== undefined)
  const [best] = chosen
  const stronger = best && echoes(question, best, texts) ? strongerThan(best, gathered) : undefined
  const all = stronger === undefined || chosen.includes(stronger) ? chosen : [...chosen, stronger]
  const candidates = ordered(await read(question, all, gathered, reader, texts), weights)
  const withoutEcho = withFirst(
    candidates,
    (one, lead) => isStronger(one.item, lead.item) && echoes(question, lead.item, texts),
  )
  const withStrongerSide = withFirst(
    withoutEcho,
    (one, lead) => isStronger(one.item, lead.item) && disagree(one.item.memory, lead.item.memory),
  )
  return withFirst(
    withStrongerSide,
    (one, lead) => !isNow(lead.item) && one.item.memory.trust.status === 'current',
  )
}

/** The candidates, behind the first one that answers, too, and that is to be shown before the best. */
function withFirst(
  candidates: readonly Candidate[],
  isBefore: (one: Candidate, best: Candidate) => boolean,
): readonly Candidate[] {
  const [best] = candidates
  const first = best && candidates.find((one) => accepts(one) && isBefore(one, best))
  if (best === undefined || first === undefined) return candidates
  // The scores must stay in order: the confidence is computed from them.
  return [{ ...first, score: best.score }, ...candidates.filter((one) => one !== first)]
}

export function isStronger(
  { memory: a }: Pick<Evidence, 'memory'>,
  { memory: b }: Pick<Evidence, 'memory'>,
): boolean {
  return rankOf(a.source) > rankOf(b.source)
}

/** The share of a question that an echo repeats, word for word. */
const ECHO = 0.75
const MIN_ECHOED = 3
const MAX_ECHO_CHARACTERS = 4_000

/**
 * Does a memory repeat the question? An echo fits better than any honest answer, so its score does not say which of two sources
 * is right.
 */
function echoes(question: string, { memory }: Evidence, cache: TextCache): boolean {
  const asked = stemsOf(question, cache)
  if (asked.length < MIN_ECHOED) return false
  const text = stemsOf(memory.text.slice(0, MAX_ECHO_CHARACTERS), cache)
  const needed = Math.max(MIN_ECHOED, Math.ceil(ECHO * asked.length))
  const runs = new Set<string>()
  for (let i = 0; i + needed <= text.length; i++) runs.add(text.slice(i, i + needed).join(' '))
  for (let i = 0; i + needed <= asked.length; i++)
    if (runs.has(asked.slice(i, i + needed).join(' '))) return true
  return false
}

/** The best memory of a stronger source, regardless of the limit. */
function strongerThan(than: Evidence, { evidence, ranked }: Gathered): Evidence | undefined {
  const isWanted = (item: Ranked) => item.memory.trust.status !== 'superseded' && isStronger(item, than)
  const known = evidence.find(isWanted)
  if (known !== undefined) return known
  const found = ranked.find(isWanted)
  return found && { ...found, role: 'supports', relevance: 0, stands: true, remarks: [], contestedBy: [] }
}

/** The memories that no longer hold, as the reader judges them: one may answer although its replacement does not. */
export async function formerOf(
  question: string,
  gathered: Gathered,
  ports: { readonly reader: AnswerReader | undefined; readonly texts: TextCache },
): Promise<readonly Candidate[]> {
  const former = gathered.evidence.filter((item) => !item.stands || !isNow(item)).slice(0, MAX_READ)
  return read(question, former, gathered, ports.reader, ports.texts)
}

/** The evidence to read: memories that were found, their replacements, and the opponent of the best one. */
function chosenOf({ evidence, ranked }: Gathered, isRead: boolean): readonly Evidence[] {
  const own = new Set(ranked.map(({ memory }) => memory.memoryId))
  const all = evidence.filter(({ stands }) => stands)
  // Expired and planned memories are read only if none holds; `formerOf` reads them later.
  const holding = isRead ? all.filter(isNow) : []
  const standing = holding.length > 0 ? holding : all
  const replacing = new Set(
    evidence.filter(({ stands }) => !stands).flatMap(({ memory }) => memory.trust.supersededBy),
  )
  const chosen = standing
    .filter(({ memory }) => own.has(memory.memoryId) || replacing.has(memory.memoryId))
    .sort((a, b) => b.relevance - a.relevance)
    .slice(0, MAX_READ)
  const [best] = chosen
  const side = standing.find((item) => best !== undefined && disagree(item.memory, best.memory))
  return side === undefined || chosen.includes(side) ? chosen : [...chosen, side]
}

async function read(
  question: string,
  chosen: readonly Evidence[],
  gathered: Gathered,
  reader: AnswerReader | undefined,
  cache: TextCache,
): Promise<readonly Candidate[]> {
  const claimed = chosen.map((item) => {
    const { memory } = item
    return { item, claim: claimOf(memory, gathered.names.get(memory.contextId)) }
  })
  const asked = withinBudget(
    claimed.map(({ claim }) => partsToRead(claim, gathered, cache)),
    question.length,
  )
  const texts = asked.flat().map(({ text }) => text)
  const logits = texts.length === 0 ? undefined : await reader?.logitsOf(question, texts)
  const logitOf = new Map(logits?.map((logit, i) => [texts[i], logit]))
  return claimed.map((one, i) => {
    const best = maxBy(asked[i] ?? [], ({ text }) => logitOf.get(text) ?? Number.NEGATIVE_INFINITY)
    return { ...one, logit: best && logitOf.get(best.text), part: best?.part ?? 0, score: 0 }
  })
}

/**
 * A candidate, read as it is shown: without the subject before it if its text names the subject. If much is recorded about a
 * thing, its name alone seems to answer every question about it.
 */
export async function readAsShown(
  question: string,
  candidate: Candidate,
  reader: AnswerReader | undefined,
): Promise<Candidate> {
  const { claim, part, logit } = candidate
  const text = shownReading(claim, part)
  if (logit === undefined || readings(claim)[part] === text) return { ...candidate, shown: logit }
  const [own] = (await reader?.logitsOf(question, [text])) ?? []
  return { ...candidate, shown: own ?? logit }
}

interface PartToRead {
  readonly part: number
  readonly text: string
}

/** The parts of a claim to read: of a long one, those with most of the question's words, in their order. */
function partsToRead(claim: Claim, { pool }: Gathered, cache: TextCache): readonly PartToRead[] {
  const all = readings(claim).map((text, part) => ({ part, text }))
  if (all.length <= MAX_PARTS_READ) return all
  const sharedWeight = ({ part }: PartToRead) => {
    const stems = new Set(stemsOf(claim.parts[part]?.text ?? '', cache))
    return pool.query.terms.reduce((sum, term) => sum + (stems.has(term) ? pool.weight(term) : 0), 0)
  }
  return all
    .map((one) => ({ one, shared: sharedWeight(one) }))
    .sort((a, b) => b.shared - a.shared || a.one.part - b.one.part)
    .slice(0, MAX_PARTS_READ)
    .map(({ one }) => one)
    .sort((a, b) => a.part - b.part)
}

/** At least one part of each candidate, and more while there is room. */
function withinBudget(
  all: readonly (readonly PartToRead[])[],
  questionLength: number,
): readonly (readonly PartToRead[])[] {
  let left = MAX_CHARACTERS_READ
  return all.map((parts) =>
    parts.filter(({ text }, i) => {
      const cost = text.length + questionLength
      if (i > 0 && cost > left) return false
      left -= cost
      return true
    }),
  )
}

function isNow({ memory }: Pick<Evidence, 'memory'>): boolean {
  const { status } = memory.trust
  return status !== 'expired' && status !== 'planned'
}

/** Candidates in the order of how surely they answer; if none was read, in the order of retrieval. */
export function ordered<C extends Candidate>(candidates: readonly C[], weights: OrderWeights): readonly C[] {
  const features = orderFeaturesOf(candidates)
  const scored = candidates.map((candidate, i) => {
    const own = features[i]
    const score = own === undefined ? 0 : ORDER_FEATURES.reduce((sum, f) => sum + own[f] * weights[f], 0)
    return { ...candidate, score }
  })
  return scored.sort((a, b) => b.score - a.score)
}

export function orderFeaturesOf(candidates: readonly Candidate[]): readonly OrderWeights[] {
  const best = Math.max(...candidates.map(({ item }) => item.score))
  return candidates.map((candidate) => {
    const { item, logit } = candidate
    const others = candidates.filter((other) => other !== candidate)
    const rivals = others.filter((other) => isValueOfTheSame(candidate, other))
    return {
      found: item.score - best,
      logit: logit ?? 0,
      answers: logit === undefined ? 0 : chance(logit),
      newest: rivals.length > 0 && rivals.every((other) => isNewer(item, other.item)) ? 1 : 0,
      contested: others.some((other) => contests(other, candidate)) ? 1 : 0,
      contests: others.some((other) => accepts(other) && contests(candidate, other)) ? 1 : 0,
      meant: others.some((other) => contests(other, candidate) && isMeant(other, candidate)) ? 1 : 0,
    }
  })
}

/** Does the reader think that the candidate answers? */
export function accepts({ logit }: Pick<Candidate, 'logit'>): boolean {
  return logit !== undefined && logit > 0
}

/** The least odds, relative to the lead, of a candidate that is shown beside it. */
const MIN_ODDS = 0.3

/** Does the reader accept a candidate, and is it likely enough to be shown beside the lead? */
export function isBeside(one: Candidate, lead: Candidate): boolean {
  return accepts(one) && Math.exp(one.score - lead.score) >= MIN_ODDS
}

/** 0..1 */
export function chance(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

/** Is `one` a later record that may contradict `other`, and does it answer, too? */
function contests(one: Candidate, other: Candidate): boolean {
  return accepts(one) && other.item.remarks.includes(one.item.memory.memoryId)
}

/** Is the later record nearer to `item` than to any other memory of the context? */
function isMeant(one: Candidate, { item }: Candidate): boolean {
  return item.contestedBy.includes(one.item.memory.memoryId)
}

function isValueOfTheSame(one: Candidate, other: Candidate): boolean {
  if (!accepts(one) || !accepts(other)) return false
  if (one.item.memory.contextId !== other.item.memory.contextId) return false
  return Math.abs(chance(one.logit ?? 0) - chance(other.logit ?? 0)) < NEAR
}

function isNewer({ memory: a }: Evidence, { memory: b }: Evidence): boolean {
  const [begun, other] = [a.validFrom ?? a.occurredAt, b.validFrom ?? b.occurredAt]
  return begun === other ? a.seq > b.seq : begun > other
}
