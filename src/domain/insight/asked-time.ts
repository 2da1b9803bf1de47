/**
 * The time that a question names in words. `then`: a period; `to` is exclusive. `before`: the value before the present one, or
 * before the one that `named` names. `first`: the first value. `course`: all values, in order.
 */
export type AskedTime =
  | { readonly kind: 'then'; readonly from: string; readonly to: string }
  | { readonly kind: 'before'; readonly named: string | undefined }
  | { readonly kind: 'first' }
  | { readonly kind: 'course' }

/** In English, German, French and Spanish. */
export const MONTHS = [
  ['January', 'januar', 'janvier', 'enero'],
  ['February', 'februar', 'février', 'febrero'],
  ['March', 'märz', 'mars', 'marzo'],
  ['April', 'avril', 'abril'],
  ['May', 'mai', 'mayo'],
  ['June', 'juni', 'juin', 'junio'],
  ['July', 'juli', 'juillet', 'julio'],
  ['August', 'août', 'agosto'],
  ['September', 'septembre', 'septiembre'],
  ['October', 'oktober', 'octobre', 'octubre'],
  ['November', 'novembre', 'noviembre'],
  ['December', 'dezember', 'décembre', 'diciembre'],
]

const DATE = /\b(\d{4})-(\d\d)-(\d\d)\b/u
const YEAR = /(?<![\p{L}\p{N}.,:/-])((?:19|20)\d\d)(?![\p{L}\p{N}:/-])/u
const MONTH = new RegExp(
  `(?:\\b(\\d{1,2})(?:st|nd|rd|th|\\.)? )?(?<!\\p{L})(${MONTHS.flat().join('|')})(?: (?:of |de |del )?(\\d{4}))?(?!\\p{L})`,
  'iu',
)
/** A question in the past tense, without which "before" and "first" mostly speak of an order. */
const PAST_TENSE =
  /(?<!\p{L})(?:was|were|did|had|used|ever|war|waren|hatten?|wurden?|gab|ging|hiess|hieß|kostete|était|étaient|avait|avaient|era|eran|fue|tenía|tenían|había)(?!\p{L})/iu
const USED_TO = /(?<!\p{L})used to(?!\p{L})/iu
const BEFORE =
  /(?<!\p{L})(?:before|previous|previously|formerly|former|earlier|old|ever|vor|vorher|früher|vorherigen?|bisherigen?|zuvor|davor|avant|auparavant|précédente?|ancienne?|antes|anterior|anteriormente)(?!\p{L})/iu
const BEFORE_WHAT = /^(?:before|vor|avant|antes)$/iu
const FIRST =
  /(?<!\p{L})(?:first|originally|original|initially|initial|at first|zuerst|ursprünglich|ursprüngliche[nr]?|anfangs|erste[nrs]?|première?|premier|initialement|au début|d'abord|primero|primera|originalmente|inicialmente|al principio)(?!\p{L})/iu
const HOW = /^\W*how (?:has|have|did)\b/iu
const CHANGED = /\bchanged?\b/iu
const COURSE =
  /(?<!\p{L})(?:over the years|over time|history of|the history|develop(?:ed)?|evolve[d]?|im Laufe|entwickelt|verändert|geändert|au fil|évolu\p{L}*|con el tiempo|evolucion\p{L}*|cambiado)(?!\p{L})/iu

export function askedTimeOf(question: string): AskedTime | undefined {
  if (COURSE.test(question) || (HOW.test(question) && CHANGED.test(question))) return { kind: 'course' }
  const isPast = PAST_TENSE.test(question)
  const then = isPast ? periodIn(question) : undefined
  if (then !== undefined) return { kind: 'then', ...then }
  if (USED_TO.test(question)) return { kind: 'before', named: undefined }
  if (!isPast) return undefined
  if (FIRST.test(question)) return { kind: 'first' }
  const before = BEFORE.exec(question)
  if (before === null) return undefined
  const named = question.slice(before.index + before[0].length)
  const isNamed = BEFORE_WHAT.test(before[0]) && /\p{L}/u.test(named)
  return { kind: 'before', named: isNamed ? named : undefined }
}

/** A day, a month of a year, or a year. */
function periodIn(question: string): { readonly from: string; readonly to: string } | undefined {
  const date = DATE.exec(question)
  if (date !== null) return period(Number(date[1]), Number(date[2]) - 1, Number(date[3]))
  const month = MONTH.exec(question)
  const year = Number(month?.[3] ?? YEAR.exec(question)?.[1] ?? Number.NaN)
  if (Number.isNaN(year)) return undefined
  if (month === null) return period(year)
  const name = month[2]?.toLowerCase()
  const index = MONTHS.findIndex((names) => names.some((one) => one.toLowerCase() === name))
  return period(year, index, month[1] === undefined ? undefined : Number(month[1]))
}

function period(year: number, month?: number, day?: number) {
  const from = new Date(Date.UTC(year, month ?? 0, day ?? 1))
  const to =
    month === undefined
      ? Date.UTC(year + 1, 0, 1)
      : day === undefined
        ? Date.UTC(year, month + 1, 1)
        : Date.UTC(year, month, day + 1)
  return { from: from.toISOString(), to: new Date(to).toISOString() }
}
