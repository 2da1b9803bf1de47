/** Fits the engine on the labelled graphs: prints the cross-validated table, then writes the models fitted on all. */
import { writeFile } from 'node:fs/promises'
import { fitCalibration } from './quality/calibrator.js'
import { crossValidate, fitModels } from './quality/cross-validate.js'
import { allExamples } from './quality/example.js'
import { table } from './quality/measure.js'
import { SET_BY_HAND } from './quality/ranker.js'

const examples = await allExamples()
console.log('Each graph by models that have not seen it:')
console.log(table(await crossValidate(examples)))
const { weights, calibration } = fitModels(examples)
const byWords = fitCalibration(await allExamples(false), weights)
const source = 'Written by `npm run fit`, which fits it on the labelled graphs of scripts/quality.'
await write('3-rank/weights.ts', 'Features', './features.js', [
  {
    comment: [
      `The linear model of the ranker. ${source}`,
      `Set by hand: ${Object.keys(SET_BY_HAND).join(', ')}.`,
    ],
    name: 'WEIGHTS',
    value: weights,
  },
])
await write('6-calibrate/model.ts', 'CalibrationModel', './confidence-features.js', [
  { comment: [`The logistic model of confidence. ${source}`], name: 'CALIBRATION', value: calibration },
  { comment: ['The same where nothing is read for meaning.'], name: 'CALIBRATION_BY_WORDS', value: byWords },
])

interface Constant {
  readonly comment: readonly string[]
  readonly name: string
  readonly value: object
}

async function write(
  file: string,
  type: string,
  from: string,
  constants: readonly Constant[],
): Promise<void> {
  const texts = constants.map(({ comment, name, value }) => {
    const literal = JSON.stringify(value, null, 2)
      .replace(/"(\w+)":/g, '$1:')
      .replace(/([\d}])\n/g, '$1,\n')
    const doc = comment.length === 1 ? `/** ${comment[0]} */` : `/**\n * ${comment.join('\n * ')}\n */`
    return `${doc}\nexport const ${name}: ${type} = ${literal}\n`
  })
  const text = `import type { ${type} } from '${from}'\n\n${texts.join('\n')}`
  await writeFile(new URL(`../src/domain/insight/${file}`, import.meta.url), text)
  console.log(`wrote src/domain/insight/${file}`)
}
