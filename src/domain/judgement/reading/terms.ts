import { stemOf } from '../../search/text-analysis.js'

/**
 * `word`: a plain word that tells something. `name`: names a person or one of several things. `value`: a number, a weekday, a
 * month or a state, which change most. `filler`: a function word, which tells nothing by itself.
 */
export type TermKind = 'word' | 'name' | 'value' | 'filler'

/** A word of a text, as far as the judgement cares. */
export interface Term {
  /** In lower case. */
  readonly word: string
  readonly stem: string
  readonly kind: TermKind
  /** 0..1: how much it tells; 0 for fillers. */
  readonly weight: number
  /** It has a capital and starts a sentence, so it may be a name or a word. */
  readonly leads: boolean
}

export function isTelling({ weight }: Term): boolean {
  return weight > 0
}

const TOKEN =
  /\p{N}+(?:[.,:/]\p{N}+)*\p{L}*|[\p{L}\p{M}\p{N}]+(?:[_.@/-][\p{L}\p{M}\p{N}]+)*(?:['’]\p{L}{1,2}(?!\p{L}))?|\p{Extended_Pictographic}/gu
const POSSESSIVE = /['’]s$/u
const NEGATED = /n['’]t$/u
const CLITIC = /['’]\p{L}{1,2}$/u
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** A full stop after these ends no sentence: `Dr. Osei`, `J. Smith`, `No. 4`, `e.g. tea`. */
const ABBREVIATION = String.raw`\b(?:[Dd]rs?|[Mm](?:rs?|s)|[Pp]rof|[Ss]t|[Nn](?:o|r)(?=\.\s\p{N})|e\.g|i\.e|vs|approx|ca|bzw|z\.B|\p{Lu})`
/** A mark that ends a sentence, before a space or at the end of a text. */
export const SENTENCE_END = String.raw`(?:[!?]|(?<!${ABBREVIATION})\.)(?=\s|$)`
const SENTENCE_START = new RegExp(String.raw`(?:^|${SENTENCE_END}|[:;\n(])\s*["'“„]?$`, 'u')
/** How many characters before a word are searched for the end of a sentence. */
const BEFORE = 12
const CAPITAL = /^\p{Lu}/u
/** `parseKit`, `new_checkout`, `a@b.example`, `B14`, `eu-west-1`: no plain word. */
const IDENTIFIER = /\p{Ll}\p{Lu}|[_@./]|\p{L}-?\p{N}/u
const NUMBER = /^v?\p{N}/u
const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|december|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|noon|midnight|spring|summer|autumn|winter|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|[月火水木金土日]曜日?)$/u
/** The usual names of states: like numbers, they change while the thing stays the same. */
const STATES = new Set(
  `todo doing done pending blocked enabled disabled active inactive running stopped passed failed passing failing online
  offline healthy unhealthy true false`.split(/\s+/),
)
const NUMERALS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, n) => [word, String(n)]),
)
/** Values, but not equal to the numerals: `second` is not `two`. */
const ORDINALS = new Set('first second third fourth fifth sixth seventh eighth ninth tenth'.split(' '))
const NAME = 0.5
const VALUE = 0.3
const MAX_SEGMENTED = 256

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The terms of a text in reading order. */
export function termsOf(text: string): Term[] {
  const plain = text.normalize('NFKC')
  const terms: Term[] = []
  for (const { 0: token, index } of plain.matchAll(TOKEN)) {
    if (UNSPACED.test(token)) terms.push(...segments(token).map((segment) => toTerm(segment, false)))
    else if (NEGATED.test(token)) terms.push(NOT)
    else {
      const starts = SENTENCE_START.test(plain.slice(Math.max(0, index - BEFORE), index))
      for (const piece of pieces(token)) terms.push(toTerm(piece, starts))
    }
  }
  return terms
}

const NOT: Term = { word: 'not', stem: 'not', kind: 'filler', weight: 0, leads: false }

/** `four-hour` is a value and a word. */
function pieces(token: string): string[] {
  const [first = token, ...rest] = token.split('-')
  return NUMERALS.has(first.toLowerCase()) ? [first, ...rest] : [token]
}

function segments(token: string): string[] {
  const words = Array.from(segmenter.segment(token.slice(0, MAX_SEGMENTED)))
  return words.filter(({ isWordLike }) => isWordLike !== false).map(({ segment }) => segment)
}

function toTerm(token: string, starts: boolean): Term {
  const bare = token.replace(CLITIC, '')
  const word = bare.toLowerCase()
  const stem = NUMERALS.get(word)
  if (stem !== undefined) return { word, stem, kind: 'value', weight: VALUE, leads: false }
  if (NUMBER.test(word) || CALENDAR.test(word))
    return { word, stem: word.replaceAll(',', ''), kind: 'value', weight: VALUE, leads: false }
  if (STATES.has(word) || ORDINALS.has(word))
    return { word, stem: word, kind: 'value', weight: VALUE, leads: false }
  const weight = tellingOf(word)
  if (weight === 0) return { word, stem: word, kind: 'filler', weight, leads: false }
  const capital = CAPITAL.test(bare)
  const isName = IDENTIFIER.test(bare) || (capital && (!starts || POSSESSIVE.test(token)))
  return isName
    ? { word, stem: stemOf(word), kind: 'name', weight: NAME, leads: false }
    : { word, stem: stemOf(word), kind: 'word', weight, leads: capital }
}

/** Function words of the most written languages; they never name the subject of a sentence. */
const FUNCTION_WORDS = words(`
  a about above after again all also although always am an and any anyone anything are around as at away back be because
  been before being below between both but by can cannot could did do does doing down during each either else even
  ever every everybody everyone everything few for from further get gets getting go goes going gone got had has have
  having he her here hers him his how however i if in instead into is it its itself just let lets like longer made make
  makes many may me might mine more most much must my never new no nobody none nor not nothing now of off often old on
  once one ones only onto or other others our ours out over own per please quite rather really said same say says shall
  she should since so some somebody someone something soon still such than that the their theirs them then there these
  they thing things this those though through to today together too toward towards under unless until up upon us use used
  uses using usually very via was we were what whatever when whenever where whether which while who whoever whole whom
  whose why will with within without would yes yet you your yours
  aber als am an auch auf aus bei bin bis da das dass dem den der des die doch ein eine einem einen einer eines er es
  fur für hat haben ich ihr im in ist ja jetzt kein keine man mehr mit nach nicht noch nun nur ob oder schon sein seit
  sich sie sind so uber über um und uns unter vom von vor war wenn wie wir wird wurde zu zum zur
  au aux avec ce ces cette dans des du elle en est et il ils je la le les leur lui ne nous on ou par pas plus pour que
  qui sa se ses son sont sur une vous
  al como con de del el ella ellos entre es esta está este fue ha hay los las lo más muy para pero por que se ser si sin
  sobre son su sus un una y ya`)

/** Words of time, change and order, common in statements about anything. */
const LIGHT_WORDS = words(`
  ago already amount case change changed day days earlier end ends extra first former formerly full good group half have
  hour hours kind last late later least left less long main major min minute minutes moment month months morning need
  needs next night note number old open part past people place point previous previously put right run runs second
  seconds set side start starts stay stays take takes team time times total two type until value want wants way week
  weekly weeks work works year years yesterday tomorrow evening`)

const KANA_ONLY = /^\p{Script=Hiragana}+$/u
const FUNCTION = 0
const LIGHT = 0.4

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}

/** 0..1: how much a word, in lower case, tells of the subject of a text; 0 for a function word. */
function tellingOf(word: string): number {
  if (FUNCTION_WORDS.has(word) || KANA_ONLY.test(word)) return FUNCTION
  return LIGHT_WORDS.has(word) ? LIGHT : 1
}
