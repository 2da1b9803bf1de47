/** Fits the engine on the labelled graphs: prints the cross-validated table, then writes the models fitted on all. */
import { writeFile } from 'node:fs/promises'
import { readLexicon } from '../src/service/load-lexicon.js'
import { crossValidate, fitModels } from './quality/cross-validate.js'
import { examplesOf } from './quality/example.js'
import { readGraphs, withGraphs } from './quality/graphs.js'
import { table } from './quality/measure.js'

const lexicon = await readLexicon()
const examples = await withGraphs(await readGraphs(), async (loaded) =>
  (await Promise.all(loaded.map((graph) => examplesOf(graph, lexicon)))).flat(),
)
console.log('Each graph by models that have not seen it:')
console.log(table(crossValidate(examples)))
const { weights, calibration } = fitModels(examples)
const source = 'Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.'
await write(
  '3-rank/weights.ts',
  'Features',
  './features.js',
  `The linear model of the ranker. ${source}`,
  'WEIGHTS',
  weights,
)
await write(
  '6-calibrate/model.ts',
  'CalibrationModel',
  './calibrate.js',
  `The logistic model of confidence. ${source}`,
  'CALIBRATION',
  calibration,
)

async function write(file: string, type: string, from: string, comment: string, name: string, value: object) {
  const literal = JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/([\d}])\n/g, '$1,\n')
  const text = `import type { ${type} } from '${from}'\n\n/** ${comment} */\nexport const ${name}: ${type} = ${literal}\n`
  await writeFile(new URL(`../src/domain/insight/${file}`, import.meta.url), text)
  console.log(`wrote src/domain/insight/${file}`)
}
