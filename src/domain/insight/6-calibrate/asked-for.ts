import { stemsOf } from '../../search/text-analysis.js'
import type { Entry } from '../1-analyse/entry.js'
import type { Query } from '../1-analyse/query.js'

const NAME = /\p{Lu}\p{L}+/gu
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|half|dozen|hundred|thousand|none|no|every)\b/iu
const TIME =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tomorrow|daily|weekly|monthly|nightly|noon|midnight|morning|afternoon|evening|night|(?:minute|hour|day|week|month|year)s?|spring|summer|autumn|winter|after|before|until|since|when|while|during|always|never|as soon as)\b/iu
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

/** Is something asked for (who, when, how many, at what price, which number) of which what is told has nothing? */
export function lacksWhatIsAsked(query: Query, told: string): boolean {
  return (
    (query.asksWho && !namesAnother(query, told)) ||
    (query.asksName && !namesAnother(query, told) && !IDENTIFIER.test(told)) ||
    (query.asksWhen && !TIME.test(told) && !NUMBER.test(told)) ||
    (query.asksNumber && !NUMBER.test(told)) ||
    (query.asksPrice && !PRICE.test(told)) ||
    (query.asksVersion && !VERSION.test(told)) ||
    (query.asksNumeral && !NUMERAL.test(told)) ||
    (query.asksPhone && !PHONE.test(told)) ||
    (query.asksEmail && !EMAIL.test(told))
  )
}

/** Is it asked where or why, while what is told seems to have no place or no reason? It may be one without saying so. */
export function mayLackPlaceOrReason({ asksWhere, asksWhy }: Query, told: string): boolean {
  return (asksWhere && !PLACE.test(told)) || (asksWhy && !REASON.test(told))
}

/** Who stands in for Ilse is not answered by Ilse, nor by a Monday. */
function namesAnother({ terms }: Query, told: string): boolean {
  const names = (told.match(NAME) ?? []).filter((name) => !TIME.test(name))
  return names.some((name) => stemsOf(name).some((stem) => !terms.includes(stem)))
}

/** That Mia is allergic to penicillin does not settle whether she is to nuts: what is asked about must be told of. */
export function saysWhether({ whether }: Query, told: readonly Entry[]): boolean {
  return whether.every((stem) => told.some(({ counts }) => counts.has(stem)))
}
