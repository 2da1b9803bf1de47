/**
 * Fits the models of the engine on all labelled sets and writes them to src/domain/insight/models.ts. With `--left-out FILE`
 * it writes, for each graph, the models fitted on the others instead, for `npm run quality`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { allExamples } from './quality/examples.js'
import { fitModels } from './quality/fit.js'
import { keptMeaning } from './quality/vectors.js'

const FILE = new URL('../src/domain/insight/models.ts', import.meta.url)
const meaning = await keptMeaning()
const sets = { embedded: await allExamples(meaning), byWords: await allExamples(meaning, false) }
const [flag, file] = process.argv.slice(2)
if (flag === '--left-out' && file !== undefined) {
  const graphIds = new Set(
    sets.embedded.flatMap(({ origin, graphId }) =>
      origin === 'graphs' || origin === 'answers' ? [graphId] : [],
    ),
  )
  const models: Record<string, unknown> = {}
  for (const left of graphIds) {
    const others = (set: typeof sets.embedded) => set.filter(({ graphId }) => graphId !== left)
    models[left] = await fitModels(
      { embedded: others(sets.embedded), byWords: others(sets.byWords) },
      meaning,
    )
    console.log(`fitted without ${left}`)
  }
  await writeFile(file, JSON.stringify(models))
} else {
  const literal = JSON.stringify(await fitModels(sets, meaning), null, 2).replace(/"(\w+)":/g, '$1:')
  const text = await readFile(FILE, 'utf8')
  const start = text.indexOf('export const MODELS')
  await writeFile(FILE, `${text.slice(0, start)}export const MODELS: Models = ${literal}\n`)
  console.log(literal)
}
await meaning.keep()
