import { stemsOf } from '../../search/text-analysis.js'
import type { Entry } from '../1-analyse/entry.js'
import type { Query } from '../1-analyse/query.js'

const NAME = /\p{Lu}\p{Ll}+/gu
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|half|dozen|hundred|thousand|none|no|every)\b/iu
const TIME =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tomorrow|daily|weekly|monthly|nightly|noon|midnight|morning|afternoon|evening|night|(?:minute|hour|day|week|month|year)s?|spring|summer|autumn|winter|after|before|until|since|when|while|during|always|never|as soon as)\b/iu
const PRICE = /\p{Sc}|%|\b(?:eur|euros?|usd|gbp|chf|dollars?|pounds?|cents?|percent|free|nothing)\b/iu
const VERSION = /\p{N}+\.\p{N}+|\bv\p{N}|\bversions?\b/iu

/** Is something asked for (who, when, how many, at what price, which version) of which what is told has nothing? */
export function lacksWhatIsAsked(query: Query, told: string): boolean {
  return (
    (query.asksWho && !namesSomebodyElse(query, told)) ||
    (query.asksWhen && !TIME.test(told) && !NUMBER.test(told)) ||
    (query.asksNumber && !NUMBER.test(told)) ||
    (query.asksPrice && !PRICE.test(told)) ||
    (query.asksVersion && !VERSION.test(told))
  )
}

/** Who stands in for Ilse is not answered by Ilse. */
function namesSomebodyElse({ terms }: Query, told: string): boolean {
  return (told.match(NAME) ?? []).some((name) => stemsOf(name).some((stem) => !terms.includes(stem)))
}

/** That Mia is allergic to penicillin does not settle whether she is to nuts: what is asked about must be told of. */
export function saysWhether({ whether }: Query, told: readonly Entry[]): boolean {
  return whether.every((stem) => told.some(({ counts }) => counts.has(stem)))
}
