import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createRandom } from '../../test/support/random.js'
import { ROOT } from '../proof/paths.js'
import { readGraphs } from '../quality/graphs.js'
import { median, type Row, timingOf } from './measure.js'
import { askAll, EACH, type Took } from './questions.js'
import { GRAPH, type Service, startService, throughput } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { giveVectors } from './vectors.js'

const CONNECTIONS = 10
const SECONDS = 1
const NO_TIMES: Took = { times: [], cpuMs: 0 }
const RESAMPLES = 2000

/**
 * Compares this build with that of another checkout: the same graph, written by the other and with made-up vectors, and the
 * same requests in alternating rounds. Each ratio of medians has a 95 % bootstrap interval.
 */
export async function benchCompare(
  other: string | undefined,
  memories: number,
  rounds: number,
): Promise<Row[]> {
  if (other === undefined || !existsSync(join(other, 'dist/main.js')))
    throw new Error('Say which build to compare with: --with <folder of another checkout that has dist/>')
  const graphs = new SyntheticGraphs(await readGraphs())
  const roots = { old: resolve(other), new: ROOT }
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const sides: Partial<Record<'old' | 'new', Service>> = {}
  try {
    await fillBoth(folder, roots, graphs, memories)
    for (const side of ['old', 'new'] as const) {
      sides[side] = await startService({
        root: roots[side],
        env: { LOREGRAPH_DATA: join(folder, side) },
      })
      await sides[side].sendOnceOpen(`/v1/contexts/${GRAPH}`)
    }
    const { old, new: now } = sides
    if (old === undefined || now === undefined) throw new Error('A side did not start')
    const both = { old, new: now }
    const type = graphs.event(0).context_id.split(':', 1)
    const rates = await rateOf(both, `/v1/contexts/${GRAPH}/${type}`, rounds)
    const answers = await askAll(both, graphs, memories, rounds)
    return [
      ...beside('listContexts, 10 connections', 'requests/s', rates.old, rates.new, 1),
      ...Array.from(answers, ([kind, bySide]) => {
        const [before = NO_TIMES, after = NO_TIMES] = [bySide.get('old'), bySide.get('new')]
        const cpu = after.cpuMs / before.cpuMs
        return [
          ...beside(`${kind}, p50`, 'ms', before.times, after.times, kind.startsWith('batch') ? 1 : EACH),
          { what: `${kind}, processor time`, subject: 'new ÷ old', value: cpu, unit: '×' },
        ]
      }).flat(),
    ]
  } finally {
    for (const service of Object.values(sides)) await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The other build may not read what this one has written, but this one reads what the other has. */
async function fillBoth(
  folder: string,
  roots: Readonly<Record<'old' | 'new', string>>,
  graphs: SyntheticGraphs,
  memories: number,
): Promise<void> {
  const [old, now] = [join(folder, 'old'), join(folder, 'new')]
  const writer = await startService({
    root: roots.old,
    env: { LOREGRAPH_DATA: old, LOREGRAPH_MEANING: 'off' },
  })
  await writer.fill((i) => graphs.event(i), memories)
  await writer.stop()
  await cp(old, now, { recursive: true })
  await giveVectors(now)
  await giveVectors(old, { listedIn: now, root: roots.old })
}

async function rateOf(sides: Readonly<Record<'old' | 'new', Service>>, path: string, rounds: number) {
  const rates = { old: [] as number[], new: [] as number[] }
  for (let round = 0; round <= rounds; round++)
    for (const side of ['old', 'new'] as const) {
      const url = sides[side].url + path
      const rate = await throughput({ url, duration: SECONDS, connections: CONNECTIONS })
      // The first round warms up.
      if (round > 0) rates[side].push(rate)
    }
  return rates
}

/** What it took on both sides, each sample of a round beside those of the same round. */
function beside(
  what: string,
  unit: string,
  before: readonly number[],
  after: readonly number[],
  perRound: number,
): Row[] {
  const [old, now] = [timingOf(before), timingOf(after)]
  const [least, most] = interval(before, after, perRound)
  const subject = `new ÷ old, ${least.toFixed(2)} to ${most.toFixed(2)}`
  return [
    { what, subject: 'old', value: old.p50, unit },
    { what, subject: 'new', value: now.p50, unit },
    { what, subject, value: now.p50 / old.p50, unit: '×' },
  ]
}

function interval(
  before: readonly number[],
  after: readonly number[],
  perRound: number,
): [least: number, most: number] {
  const random = createRandom(5)
  const rounds = Math.floor(before.length / perRound)
  const ratios = Array.from({ length: RESAMPLES }, () => {
    const drawn = Array.from({ length: rounds }, () => Math.floor(random() * rounds))
    const of = (samples: readonly number[]) =>
      median(drawn.flatMap((round) => samples.slice(round * perRound, (round + 1) * perRound)))
    return of(after) / of(before)
  }).sort((a, b) => a - b)
  return [ratios[Math.floor(0.025 * RESAMPLES)] ?? 0, ratios[Math.floor(0.975 * RESAMPLES)] ?? 0]
}
