import type { Query } from '../1-analyse/query.js'

const NAME = /\p{Lu}\p{Ll}+/u
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|half|dozen|hundred|thousand|none|no|every)\b/iu
const TIME =
  /\p{N}|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tomorrow|daily|weekly|monthly|nightly|noon|midnight|morning|afternoon|evening|night|(?:minute|hour|day|week|month|year)s?|spring|summer|autumn|winter|after|before|until|since|when|while|during|always|never|as soon as)\b/iu

/** Is a thing asked for (who, when, how many, which version) of which what is told has nothing? */
export function lacksWhatIsAsked({ asksWho, asksWhen, asksNumber }: Query, told: string): boolean {
  return (asksWho && !NAME.test(told)) || (asksWhen && !TIME.test(told)) || (asksNumber && !NUMBER.test(told))
}
