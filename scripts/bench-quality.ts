/**
 * Measures the engine on the labelled graphs, each by models that have not seen it, and fails when a figure has dropped
 * more than two points below `scripts/quality/baseline.json`. `--write` makes the figures the baseline.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { readLexicon } from '../src/service/load-lexicon.js'
import { crossValidate } from './quality/cross-validate.js'
import { examplesOf } from './quality/example.js'
import { readGraphs, withGraphs } from './quality/graphs.js'
import { calibrationTable, MEASURES, summary, table } from './quality/measure.js'

const BASELINE = new URL('./quality/baseline.json', import.meta.url)
const TOLERANCE = 0.02

const lexicon = await readLexicon()
const rows = await withGraphs(await readGraphs(), async (loaded) =>
  crossValidate((await Promise.all(loaded.map((graph) => examplesOf(graph, lexicon)))).flat()),
)
console.log(`${table(rows)}\n\n${calibrationTable(rows)}`)
const figures = summary(rows)
if (process.argv.includes('--write')) await writeFile(BASELINE, `${JSON.stringify(figures, null, 2)}\n`)
else {
  const baseline = JSON.parse(await readFile(BASELINE, 'utf8'))
  // How often an answer is called high is a choice, not a merit: only how often that is right may not drop.
  const dropped = MEASURES.filter(
    (name) => name !== 'high' && (figures[name] ?? 0) < baseline[name] - TOLERANCE,
  )
  for (const name of dropped)
    console.error(`${name}: ${figures[name]} is below the baseline of ${baseline[name]}.`)
  process.exitCode = dropped.length === 0 ? 0 : 1
}
