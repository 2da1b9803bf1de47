import { readFile, writeFile } from 'node:fs/promises'
import { crossValidate } from '../quality/cross-validate.js'
import { allExamples } from '../quality/example.js'
import { calibrationTable, labelled, MEASURES, summary, table } from '../quality/measure.js'
import { promised, type Row } from './measure.js'

const BASELINE = new URL('../quality/baseline.json', import.meta.url)
const TOLERANCE = 0.02

/**
 * The engine on the labelled graphs, each by models that have not seen it. No figure may drop more than two points
 * below `scripts/quality/baseline.json`; `isWrite` makes the figures the baseline.
 */
export async function benchQuality(isWrite: boolean): Promise<Row[]> {
  const rows = await crossValidate(await allExamples())
  console.log(`${table(rows)}\n\n${calibrationTable(rows)}\n`)
  const figures = summary(labelled(rows))
  if (isWrite) await writeFile(BASELINE, `${JSON.stringify(figures, null, 2)}\n`)
  const baseline = JSON.parse(await readFile(BASELINE, 'utf8'))
  return MEASURES.map((what) => {
    const row = { what, subject: 'all tasks', value: figures[what] ?? 0, unit: '' }
    const least = baseline[what] - TOLERANCE
    // How often an answer is called high is a choice, not a merit: only how often that is right may not drop.
    if (what === 'high') return row
    if (what === 'nothing_high') return promised(row, '≤ 0.024', row.value <= 0.024)
    return promised(row, `≥ ${least.toFixed(3)}`, row.value >= least)
  })
}
