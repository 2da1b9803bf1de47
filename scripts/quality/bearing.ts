import { WEIGHTS, type Weights } from '../../src/domain/judgement/weights.js'
import { type Case, readCases } from './bearing/data.js'
import { fitWeights } from './bearing/fit.js'
import { measure } from './bearing/measure.js'
import { keptMeaning } from './vectors.js'

// npx tsx scripts/quality/bearing.ts: how well the judgement tells what speaks of the same thing, and the weights that
// all cases together would give. Each half is also judged by weights that were fitted on the other half.
const meaning = await keptMeaning()
for (const withMeaning of [false, true]) {
  const cases = await readCases(withMeaning ? meaning : undefined)
  const halves = [cases.filter((_, i) => i % 2 === 0), cases.filter((_, i) => i % 2 === 1)] as const
  console.log(withMeaning ? '\nwith sentence vectors' : 'words alone')
  console.log(`${''.padEnd(36)}precision  recall  told or offered  nothing where nothing fits`)
  for (const [mine, theirs, name] of [[...halves, 'even'] as const, [halves[1], halves[0], 'odd'] as const]) {
    const weights = fitWeights(mine)
    report(`fitted on the ${name} cases: those`, mine, weights)
    report('  the others', theirs, weights)
  }
  report('the weights in use: even cases', halves[0], WEIGHTS)
  report('  odd cases', halves[1], WEIGHTS)
  report('  all cases', cases, WEIGHTS)
  console.log('fitted on all:', JSON.stringify(fitWeights(cases)))
}

function report(name: string, cases: readonly Case[], weights: Weights): void {
  const { precision, recall, offered, quiet } = measure(cases, weights)
  const columns = [precision, recall, offered, quiet].map((share) => share.toFixed(3).padStart(9))
  console.log(name.padEnd(36) + columns.join(' '))
}
