import { fieldChanged } from './fields.js'
import type { Overlap } from './overlap.js'
import type { Part, Reading } from './reading.js'
import type { Term } from './terms.js'

/** Words that turn a statement round. */
const NEGATIONS = new Set(
  `not no never none nobody nothing neither nor without cannot instead statt anstatt nicht kein keine keinen keiner nie niemals ohne pas jamais
  sans nunca sin ない ません なし ず`.split(/\s+/),
)
/** Function words that say where something stands: with the other one the statement is another. */
const OPPOSITES = new Map(
  'on off/up down/before after/above below/over under/more less/always never/with without/an aus/vor nach/auf ab'
    .split('/')
    .map((pair) => pair.split(' '))
    .flatMap(([one = '', other = '']) => [
      [one, other],
      [other, one],
    ]),
)

/**
 * Does one of two parts say no more than the other says too, and say it in the same sense? What brings in another name or
 * value says something else: "back to MySQL, PostgreSQL was too slow" is no agreement with "PostgreSQL". Of what has a
 * heading in common all counts: "office: Berlin" is no agreement with "office: Hamburg".
 */
export function inAgreement(a: Reading, b: Reading, { parts }: Overlap): boolean {
  const [p, q] = [saidBy(parts[0], a), saidBy(parts[1], b)]
  if (fieldChanged(a.fields, b.fields) || isNegated(p) !== isNegated(q) || areOpposite(p, q)) return false
  return (isHeld(p, q) && namesNoMore(q, p)) || (isHeld(q, p) && namesNoMore(p, q))
}

/** A heading or a topic says nothing by itself. */
function saidBy(part: Part, { whole }: Reading): Part {
  return part.place === 'heading' || part.place === 'topic' ? whole : part
}

function namesNoMore({ telling }: Part, than: Part): boolean {
  for (const { kind, stem } of telling.values())
    if ((kind === 'name' || kind === 'value') && !than.telling.has(stem)) return false
  return true
}

/** Do two texts say the same, but for words that tell nothing? */
export function sameWords(a: Part, b: Part): boolean {
  const mine = a.terms.filter(isTelling)
  const theirs = b.terms.filter(isTelling)
  return (
    mine.length === theirs.length && mine.every(({ stem }, i) => stem === theirs[i]?.stem) && !turned(a, b)
  )
}

function turned(a: Part, b: Part): boolean {
  return isNegated(a) !== isNegated(b) || areOpposite(a, b)
}

function isTelling({ weight }: Term): boolean {
  return weight > 0
}

/** All terms of the one are in the other, names and values in the same order: from A to B is not from B to A. */
function isHeld(p: Part, q: Part): boolean {
  for (const stem of p.telling.keys()) if (!q.telling.has(stem)) return false
  let at = 0
  const order = [...q.telling.keys()]
  for (const { kind, stem } of p.telling.values()) {
    if (kind !== 'name' && kind !== 'value') continue
    const found = order.indexOf(stem, at)
    if (found === -1) return false
    at = found + 1
  }
  return true
}

/** Two negations make none. */
function isNegated({ terms }: Part): boolean {
  return terms.filter(({ stem }) => NEGATIONS.has(stem)).length % 2 === 1
}

function areOpposite(p: Part, q: Part): boolean {
  return hasOpposite(p, q) || hasOpposite(q, p)
}

function hasOpposite(p: Part, q: Part): boolean {
  const mine = new Set(p.terms.map(({ stem }) => stem))
  const theirs = new Set(q.terms.map(({ stem }) => stem))
  for (const stem of mine) {
    const opposite = OPPOSITES.get(stem)
    if (opposite !== undefined && theirs.has(opposite) && !mine.has(opposite) && !theirs.has(stem))
      return true
  }
  return false
}
