import { stemsOf } from '../../search/text-analysis.js'
import type { Entry } from '../1-analyse/entry.js'
import { MONTHS, type Query } from '../1-analyse/query.js'

/** A word that begins a sentence is none if it is what is done with something: "Resetting the store". */
const NAME =
  /(?=\p{Lu})(?!(?<=^|[.!?:;]\s{1,3})\p{L}{1,40}\s(?:the|an?|our|all|every|each|this|that|these|those|no)\b)\p{Lu}\p{L}+/gmu
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|half|dozen|hundred|thousand|none|no|every)\b/iu
const TIME =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tomorrow|daily|weekly|monthly|nightly|noon|midnight|morning|afternoon|evening|night|(?:minute|hour|day|week|month|year)s?|spring|summer|autumn|winter|after|before|until|since|when|while|during|always|never|as soon as)\b/iu
/** A number that can be a day, an hour or a span of time: "400 runs" is none. */
const DATE =
  /\p{N}[:-]\p{N}|\b(?:19|20)\p{N}{2}\b|\p{N}(?:st|nd|rd|th)\b|\p{N}\s?(?:[ap]m|[hs]|ms|mins?|sec(?:ond)?s?)\b|\b(?:at|by|from|till|past) (?:\p{N}{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)\b|\bq[1-4]\b/iu
const PRICE = /\p{Sc}|%|\b(?:eur|euros?|usd|gbp|chf|dollars?|pounds?|cents?|percent|free|nothing)\b/iu
const VERSION = /\p{N}+\.\p{N}+|\bv\p{N}|\bversions?\b/iu
/** A name that need not begin with a capital: of a branch, a bucket, a function; or whatever is said to be one. */
const IDENTIFIER = /[\p{L}\p{N}][_./-]\p{L}|\(\)|[`"“]|\b(?:called|named|name)\b|\p{L}: /iu
const NUMERAL = /\p{N}/u
const PHONE = /(?:\p{N}[\s/().-]*){5,}/u
const EMAIL = /\S@\S/u
/** What follows a preposition but is no day, month or hour; a path, or the value of a field. */
const PLACE =
  /\b(?:in|at|on|under|behind|near|beside|above|below|inside|outside|against|opposite|from|to|into|via|through|by)\s+(?!(?:the\s+|every\s+)?(?:\p{N}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|morning|afternoon|evening|night|noon))|[\p{L}\p{N}]\/\p{L}|\p{L}: /iu
const REASON =
  /\b(?:because|since|reasons?|due to|caus(?:e[sd]?|ing)|why|so that|thanks to|to avoid|otherwise|or else|therefore|hence|after|when|without|until|wants?|fix|if)\b|\p{L}: /iu

const UNIT = '(?:milli)?seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?|decades?'
/** So many of some unit, until or since when, or a field with a number: "of the first hour" does not say how long. */
const LASTING = new RegExp(
  String.raw`(?:\p{N}[\s-]*|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|few|several|many|couple of|dozen|all|whole)[\s-]+)(?:an? )?(?:working |business |more )?(?:${UNIT}|m?s|h|night|weekend|quarter|sprint|term|season|semester)\b|\b(?:until|till|since|from|forever|always|never|overnight|permanently|as long as|(?:19|20)\p{N}{2})\b|\b(?:times?|timeout|ttl|duration|length|wait|delay|interval|retention|${UNIT})(?: \p{L}+)?: \p{N}`,
  'iu',
)
const HEAT = /\b(?:temperatures?|degrees?|hot|cold|warm|cool|celsius|fahrenheit)\b|°/iu
/** By what it is told how long, how deep or how old something is. */
const TOLD_BY = new Map([
  [
    'long',
    new RegExp(
      String.raw`\b(?:long(?:er)?|length|lasts?|until|${UNIT}|characters?|pages?|lines?)\b|\p{N}\s?m?s\b`,
      'iu',
    ),
  ],
  ['deep', /\b(?:deep|depth|draught|levels?)\b/iu],
  ['wide', /\b(?:wide|width|broad|breadth|across)\b/iu],
  ['tall', /\b(?:tall|high|height)\b/iu],
  ['heavy', /\b(?:heavy|weigh(?:s|t|ing)?|loads?|kilos?|tons?|tonnes?|pounds?)\b|\p{N}\s?(?:k?g|t|lbs?)\b/iu],
  ['old', new RegExp(String.raw`\b(?:old|age[ds]?|born|built|since|from|${UNIT}|(?:19|20)\p{N}{2})\b`, 'iu')],
  ['far', /\b(?:far|distance|away|apart|range|minutes?|hours?|miles?)\b|\p{N}\s?(?:k?m|kilomet|met)/iu],
  ['hot', HEAT],
  ['cold', HEAT],
])

const A_MONTH = new RegExp(String.raw`\b(?:${MONTHS})\b`, 'giu')

/** How many there were in June is not told by how many there were in April. */
function isOfAnotherMonth({ asksNumber, months }: Query, told: string): boolean {
  if (!asksNumber || months.length === 0) return false
  const known = new Set((told.match(A_MONTH) ?? []).map((month) => month.toLowerCase()))
  return known.size > 0 && months.every((month) => !known.has(month))
}

/** Is something asked for (who, when, how many, at what price, which number) of which what is told has nothing? */
export function lacksWhatIsAsked(query: Query, told: string, lead = told): boolean {
  return (
    (query.asksWho && !namesAnother(query, told)) ||
    (query.asksName && !namesAnother(query, told) && !IDENTIFIER.test(told)) ||
    isOfAnotherMonth(query, told) ||
    (query.asksWhen && !TIME.test(told) && !DATE.test(told)) ||
    (query.asksSpan
      ? !LASTING.test(query.clauses.length > 1 ? told : lead)
      : query.asksNumber && !NUMBER.test(told)) ||
    (query.asksPrice && !PRICE.test(told)) ||
    (query.asksVersion && !VERSION.test(told) && !numbers(query, told)) ||
    (query.asksNumeral && !NUMERAL.test(told)) ||
    (query.asksPhone && !PHONE.test(told)) ||
    (query.asksEmail && !EMAIL.test(told))
  )
}

/**
 * Is it asked where, why or how long, while what is told seems to have nothing of it? It may have, without saying so. A
 * measure must be in what fits best, if nothing else is asked: much that is told has some number.
 */
export function mayLackWhatIsAsked(query: Query, told: string, lead = told): boolean {
  const { asksWhere, asksWhy, measure, clauses } = query
  return (
    (asksWhere && !PLACE.test(told)) ||
    (asksWhy && !REASON.test(told)) ||
    TOLD_BY.get(measure ?? '')?.test(clauses.length > 1 ? told : lead) === false
  )
}

/** Somebody or a team need not have a capital where a field says whose name it is. */
const NAMED_IN_FIELD =
  /(?:^|[\s;])(?:owner|maintainer|manager|leader|lead|contact|team|author|reviewer|approver|assignee|responsible|on[ -]?call|coach|trainer|teacher|driver|keeper|who|by)s?: \p{L}/iu

/** Names, those in a row as one: `Ilse Brandt`. */
function namesIn(told: string): string[] {
  const names: string[] = []
  let end = -1
  for (const { 0: name, index } of told.matchAll(NAME)) {
    if (TIME.test(name) || stemsOf(name).length === 0) continue
    if (index === end + 1 && told[end] === ' ') names.push(`${names.pop()} ${name}`)
    else names.push(name)
    end = index + name.length
  }
  return names
}

/** Who stands in for Ilse is not answered by Ilse Brandt, nor by a Monday. */
function namesAnother({ terms }: Query, told: string): boolean {
  if (NAMED_IN_FIELD.test(told)) return true
  return namesIn(told).some((name) => stemsOf(name).every((stem) => !terms.includes(stem)))
}

const NUMBERED = /(?<![\p{L}.+#])(\p{L}[\p{L}.+#]{0,40}) \p{N}/gu

/** `Node 22` is a version of Node. */
function numbers({ terms }: Query, told: string): boolean {
  const named = [...told.matchAll(NUMBERED)].flatMap(([, name = '']) => stemsOf(name))
  return named.some((stem) => terms.includes(stem))
}

/** That Mia is allergic to penicillin does not settle whether she is to nuts: what is asked about must be told of. */
export function saysWhether({ whether }: Query, told: readonly Entry[]): boolean {
  return whether.every((stem) => told.some(({ counts }) => counts.has(stem)))
}
