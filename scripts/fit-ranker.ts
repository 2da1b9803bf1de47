/** Fits the engine on the labelled graphs: prints the cross-validated table, then writes the models fitted on all. */
import { writeFile } from 'node:fs/promises'
import { crossValidate, fitModels } from './quality/cross-validate.js'
import { allExamples } from './quality/example.js'
import { table } from './quality/measure.js'
import { SET_BY_HAND } from './quality/ranker.js'

const examples = await allExamples()
console.log('Each graph by models that have not seen it:')
console.log(table(await crossValidate(examples)))
const { weights, calibration } = fitModels(examples)
const source = 'Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.'
await write(
  '3-rank/weights.ts',
  'Features',
  './features.js',
  [`The linear model of the ranker. ${source}`, `Set by hand: ${Object.keys(SET_BY_HAND).join(', ')}.`],
  'WEIGHTS',
  weights,
)
await write(
  '6-calibrate/model.ts',
  'CalibrationModel',
  './confidence-features.js',
  [`The logistic model of confidence. ${source}`],
  'CALIBRATION',
  calibration,
)

async function write(
  file: string,
  type: string,
  from: string,
  comment: readonly string[],
  name: string,
  value: object,
) {
  const literal = JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/([\d}])\n/g, '$1,\n')
  const doc = comment.length === 1 ? `/** ${comment[0]} */` : `/**\n * ${comment.join('\n * ')}\n */`
  const text = `import type { ${type} } from '${from}'\n\n${doc}\nexport const ${name}: ${type} = ${literal}\n`
  await writeFile(new URL(`../src/domain/insight/${file}`, import.meta.url), text)
  console.log(`wrote src/domain/insight/${file}`)
}
