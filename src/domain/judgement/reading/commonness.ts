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
export function tellingOf(word: string): number {
  if (FUNCTION_WORDS.has(word) || KANA_ONLY.test(word)) return FUNCTION
  return LIGHT_WORDS.has(word) ? LIGHT : 1
}
