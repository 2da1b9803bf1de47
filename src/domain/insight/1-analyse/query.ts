import { stemsOf } from '../../search/text-analysis.js'
import type { TextCache } from '../../text-cache.js'

/** What is asked, taken apart. */
export interface Query {
  /** Distinct stems, in the order in which they first occur. */
  readonly terms: readonly string[]
  /** The distinct stems of proper names, numbers and identifiers: what an answer can hardly be without. */
  readonly names: readonly string[]
  /** The stems of each clause that has at least two; the whole when there is only one such clause. */
  readonly clauses: readonly (readonly string[])[]
  readonly isOneWord: boolean
  readonly asksWho: boolean
  /** The stem of what somebody is asked for who does it: `own` in "who owns the gateway". */
  readonly whoDoes: string | undefined
  readonly asksWhen: boolean
  /** Asks how long something takes or lasts. */
  readonly asksSpan: boolean
  /** Asks how something is done. */
  readonly asksWay: boolean
  readonly asksLatest: boolean
  /** Asks how many, how long or how high: the answer holds a number. */
  readonly asksNumber: boolean
  readonly asksPrice: boolean
  readonly asksVersion: boolean
  /** Asks for a number that names something: of a contract, an invoice, a room. */
  readonly asksNumeral: boolean
  readonly asksPhone: boolean
  readonly asksEmail: boolean
  /** Asks what somebody or something is called. */
  readonly asksName: boolean
  /** Asks how much of what a thing is: "how deep is the lock". "How long does it take" asks for any number. */
  readonly measure: string | undefined
  readonly asksWhere: boolean
  readonly asksWhy: boolean
  /** Asks of some days or a part of the year. */
  readonly namesDays: boolean
  /** Asks what was asked. */
  readonly asksWhatIsOpen: boolean
  /** The last stem of each clause that asks whether something is so, which it is about: "is Mia allergic to nuts". */
  readonly whether: readonly string[]
  /** The stems of each thing that is asked for by name: "which test runner", "how many pallets", "what is the breed of". */
  readonly things: readonly (readonly string[])[]
  /** The months that are named, as they are written in full. */
  readonly months: readonly string[]
}

const CLAUSE_BREAK = /[,.;:?!]+|\b(?:and|or|but|then)\b/i
const WHO = /\b(?:who|whom|whose)\b/i
/** "What do I tell customers who ask for a refund" asks for nobody. */
const OF_WHOM =
  /\b(?:what|which|why|where|when|how)\b.{0,200}\b(?:\p{L}{3,}s|people|person|children|those|(?:some|any|every)(?:one|body)) (?:who|whose|whom)\b/iu
const WHO_DOES = /\bwho (?:else )?(\p{Ll}+s)\b/iu
const WAY = /\bhow (?:do|can|could|should|must|to)\b/i
const LATEST = /\b(?:latest|newest|last|current|currently|now|most recent|recently|today|still|these days)\b/i
const WHEN = /\b(?:when|how long|until|since|(?:what|which) (?:date|time|day))\b/i
const SPAN = /\bhow long (?:do|does|did|will|would|can|may|must|should|has|have|had)\b/i
/** "What do I do when the disk is full" asks for something else. So does "who", but of many told names one seems to answer it. */
const CASE =
  /\b(?:what|which|why|where|how(?! long\b))\b(?! (?:date|time|day)\b).{0,200}\b(?:when|until|since)\b/i

const NUMBER =
  /\bhow (?:many|much|large|big|small|high|low|fast|slow|old|far|deep|hot|cold|heavy|wide|long|often)\b/i
const MEASURE = /\bhow (long|deep|wide|tall|heavy|old|far|hot|cold) (?:is|are|was|were)\b/i
const PRICE =
  /\b(?:costs?|prices?|charges?|fees?|penalty|pays?)\b|\bhow much (?:is|are|was|were) (?:an?|the|our|my|your|his|her|its|their|this|that|one)\b/i
/** In a clause that begins with asking for something else, "a failed charge" and "the version" are what it is about. */
const ELSE = /^(?:who|whom|whose|when|where|why|how (?!much\b|high\b|large\b|big\b)\p{L}+)\b/iu
const VERSION = /\bversions?\b/i
const [VERSION_STEM] = stemsOf('version')
const NUMERAL = /\b(?:what|which|whose)\b(?:(?!\ba number\b)[^.?!]){0,80}\b(?:number|pin)\b/i
const PHONE =
  /\b(?:(?:tele)?phone|mobile|cell|fax) numbers?\b|\b(?:what|which) number\b.{0,80}\b(?:call|ring|phone|dial|reach)\b/i
const EMAIL = /\be-?mail address(?:es)?\b|\b(?:what|which)\b[^.?!]{0,80}'s e-?mail\b/i
const CALLED =
  /\bwhat(?:['’]s| is| are| was| were)\b(?:[^.?!]{0,80}\b(?:called|named)\s*(?:[,.?!]|$)|[^.?!]{0,40}\bnames? of\b)/i
/** "How do I get a token" asks where it is to be had, or from whom. */
const WHERE = /\bwhere\b|\bhow (?:do|can|could|may) (?:i|we|you|one) get (?:an?|the|my|our|to|access|hold)\b/i
const WHY = /\b(?:why|what for|how come)\b/i
const DAYS =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|spring|summer|autumn|winter|holidays?)\b/i
const OPEN = /\b(?:questions?|ask(?:s|ed|ing)?|undecided|unanswered|unclear|wonder(?:s|ed|ing)?)\b/i
/** "Can you tell me" asks for something else, and so does "do we know when". */
const WHETHER =
  /^(?:am|are|can|could|did|do|does|had|has|have|is|may|must|should|was|were|will|would)\b(?! you\b)(?!.*\b(?:how|what|when|where|which|who|why)\b)/i
/** Up to four words, of which those before the first stop word count. */
const THING = /\b(?:which|what|how many|how much)\s+((?:[\p{L}\p{N}_-]+\s*){1,4})/giu
/** "How high was the fine" is not answered by what tells of no fine. */
const MEASURED =
  /\bhow (?:high|large|big|small|low|deep|wide|tall|heavy|old|far|hot|cold|long) (?:is|are|was|were) (?:the|our|my|your|their|his|her|its) ((?:[\p{L}-]+\s*){1,3})/giu
/** "When does Ben have piano lessons" is not answered by what he has otherwise. */
const HAVING =
  /\b(?:do|does|did|will)\s(?:[\p{L}\p{N}'’-]+\s){1,4}?have\s(?:(?:an?|the|any|our|my|your|their|his|her|its)\s)?((?:[\p{L}-]+\s*){1,3})/giu
export const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const MONTH = new RegExp(
  String.raw`\b(?:in|of|for|during|since|until|by|last|this|next) (${MONTHS})\b`,
  'giu',
)
/** "What is the breed of the dog", "what is Ana's birthday". */
const ATTRIBUTE =
  /\bwhat(?:['’]s| is| are| was| were)\s+(?:(?:the|our|my|your|their|his|her|its)\s+)?(?:((?:[\p{L}-]+\s+){1,3}?)of\b|(?:[\p{L}\p{N}-]+\s+){0,3}?[\p{L}\p{N}-]+['’]s\s+((?:[\p{L}-]+\s*){1,3}))/giu
/** Capitalised within a sentence, or with a digit or several capitals. */
const NAME =
  /(?<=[\p{L}\p{N},;)'’"”] )\p{Lu}[\p{L}\p{N}'’-]*|[\p{L}\p{N}_.-]*\p{N}[\p{L}\p{N}_.-]*|\b\p{Lu}{2,}\b/gu

export function analyse(text: string, texts?: TextCache): Query {
  const stems = stemsOf(text, texts)
  const parts = text.split(CLAUSE_BREAK)
  const clauses = parts
    .map((clause) => [...new Set(stemsOf(clause, texts))])
    .filter((clause) => clause.length >= 2)
  const forItself = parts.map((part) => part.trim()).filter((part) => !ELSE.test(part) && !WHETHER.test(part))
  const [asksPhone, asksEmail] = [PHONE.test(text), EMAIL.test(text)]
  return {
    terms: [...new Set(stems)],
    names: [...new Set((text.match(NAME) ?? []).flatMap((name) => stemsOf(name, texts)))],
    clauses: clauses.length > 1 ? clauses : [[...new Set(stems)]],
    isOneWord: isOneWord(text, texts),
    asksWho: parts.some((part) => WHO.test(part) && !OF_WHOM.test(part)),
    whoDoes: stemsOf(WHO_DOES.exec(text)?.[1] ?? '', texts)[0],
    asksWhen: parts.some((part) => WHEN.test(part) && !CASE.test(part)),
    asksSpan: SPAN.test(text),
    asksWay: WAY.test(text),
    asksLatest: LATEST.test(text),
    asksNumber: NUMBER.test(text),
    measure: MEASURE.exec(text)?.[1]?.toLowerCase(),
    asksPrice: forItself.some((part) => PRICE.test(part)),
    asksVersion: forItself.some((part) => VERSION.test(part)),
    asksNumeral: NUMERAL.test(text),
    asksPhone,
    asksEmail,
    asksName: CALLED.test(text),
    asksWhere: WHERE.test(text),
    asksWhy: WHY.test(text),
    namesDays: DAYS.test(text),
    asksWhatIsOpen: OPEN.test(text),
    whether: parts
      .filter((part) => WHETHER.test(part.trim()))
      .flatMap((part) => stemsOf(part, texts).slice(-1)),
    months: [...text.matchAll(MONTH)].map(([, month = '']) => month.toLowerCase()),
    // A phone number, an address or a version shows itself by its form, and is seldom told with that word.
    things: [
      ...text.matchAll(THING),
      ...text.matchAll(MEASURED),
      ...text.matchAll(HAVING),
      ...(asksPhone || asksEmail ? [] : text.matchAll(ATTRIBUTE)),
    ]
      .map(([, words, others]) => thingOf(words ?? others ?? '', texts))
      .filter(([first, ...more]) => first !== undefined && (first !== VERSION_STEM || more.length > 0)),
  }
}

/** In a script without spaces, what reads as one word may be many. */
export function isOneWord(text: string, texts?: TextCache): boolean {
  return !/\s/u.test(text.trim()) && stemsOf(text, texts).length <= 1
}

function thingOf(text: string, texts: TextCache | undefined): string[] {
  const words = text.trim().split(/\s+/u)
  const end = words.findIndex((word) => stemsOf(word, texts).length === 0)
  return stemsOf(words.slice(0, end < 0 ? undefined : end).join(' '), texts)
}
