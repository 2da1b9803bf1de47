/**
 * The gate of the hooks: how often a prompt that needs nothing gets text, and how often one with an answer gets the right
 * memory, on the labelled graphs. "Not seen" is each graph by models that were fitted on the others.
 *
 *   npm run bench:gate [-- --worst 10]
 */
import { parseArgs } from 'node:util'
import { WEIGHTS } from '../../src/domain/insight/3-rank/weights.js'
import { CALIBRATION } from '../../src/domain/insight/6-calibrate/model.js'
import { fitModels, type Models } from '../quality/cross-validate.js'
import { allExamples, type Example } from '../quality/example.js'
import {
  gateExamples,
  isTold,
  judgeHook,
  LEASTS,
  type Least,
  SORTS,
  shareOf,
  type Verdict,
} from '../quality/gate.js'
import { promised, type Row, tableOf } from './measure.js'

const { values } = parseArgs({ options: { worst: { type: 'string', default: '10' } } })
const MOST_NEEDLESS = 0.1
const LEAST_RIGHT = 0.75

const prompts = await gateExamples()
const labelled = await allExamples()
const graphs = [...new Set(prompts.map(({ graphId }) => graphId))]
const shipped: Models = { weights: WEIGHTS, calibration: CALIBRATION }
const seen = await judged(prompts, () => shipped)
const others = new Map(
  graphs.map((graph) => [graph, fitModels(labelled.filter(({ graphId }) => graphId !== graph))]),
)
const notSeen = await judged(prompts, (graph) => others.get(graph) ?? shipped)

for (const [name, verdicts] of [
  ['in sample (as shipped)', seen],
  ['not seen', notSeen],
] as const) {
  console.log(`\n${name}\n`)
  for (const least of LEASTS) console.log(byGraph(verdicts, least))
}
const rows: Row[] = [seen, notSeen].flatMap((verdicts, i) => {
  const subject = i === 0 ? 'in sample' : 'not seen'
  const needless = shareOf(verdicts, 'needless', 'medium')
  const right = shareOf(verdicts, 'answerable', 'medium')
  return [
    promised(
      { what: 'needs nothing, gets text', subject, value: needless, unit: '' },
      '≤ 0.10',
      needless <= MOST_NEEDLESS,
    ),
    promised(
      { what: 'has an answer, gets it', subject, value: right, unit: '' },
      '≥ 0.75',
      right >= LEAST_RIGHT,
    ),
  ]
})
console.log(`\n${tableOf(rows)}`)
worst(notSeen)
if (rows.some(({ kept }) => kept === false)) process.exitCode = 1

async function judged(examples: readonly Example[], modelsOf: (graph: string) => Models): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const example of examples) verdicts.push(await judgeHook(example, modelsOf(example.graphId)))
  return verdicts
}

function byGraph(verdicts: readonly Verdict[], least: Least): string {
  const line = (name: string, own: readonly Verdict[]) =>
    [
      name.padEnd(12),
      ...[...SORTS, 'needless' as const].map((sort) =>
        `${(100 * shareOf(own, sort, least)).toFixed(1)} %`.padStart(13),
      ),
    ].join(' ')
  return [
    ['', ...['right memory', 'unanswerable', 'everyday', 'needless']]
      .map((it, i) => (i === 0 ? `at ${least}`.padEnd(12) : it.padStart(13)))
      .join(' '),
    ...graphs.map((graph) =>
      line(
        graph,
        verdicts.filter(({ graphId }) => graphId === graph),
      ),
    ),
    line('all', verdicts),
    '',
  ].join('\n')
}

function worst(verdicts: readonly Verdict[]): void {
  const most = Number(values.worst)
  const needless = verdicts
    .filter((it) => it.sort !== 'answerable' && isTold(it, 'medium'))
    .sort((a, b) => b.score - a.score)
  const missed = verdicts
    .filter((it) => it.sort === 'answerable' && !(isTold(it, 'medium') && it.isRight))
    .sort((a, b) => a.score - b.score)
  console.log(`\nneeds nothing, and gets text (${needless.length}), the surest first`)
  for (const one of needless.slice(0, most)) tell(one)
  console.log(`\nhas an answer, and does not get it (${missed.length}), the least sure first`)
  for (const one of missed.slice(0, most)) tell(one)
}

function tell({ graphId, sort, level, score, prompt, told }: Verdict): void {
  console.log(
    `  ${graphId}, ${sort}, ${level} ${score.toFixed(2)}: ${prompt}\n      ${told[0]?.slice(0, 140) ?? '–'}`,
  )
}
