import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CodeScan } from '../../src/domain/meaning/code-scan.js'
import { CODE_WORDS } from '../../src/domain/meaning/nearness.js'
import type * as LoadModels from '../../src/service/meaning/load-models.js'
import type * as ModelFiles from '../../src/service/meaning/model-files.js'
import type * as Runner from '../../src/service/meaning/model-runner.js'
import { loadScanProgram } from '../../src/service/meaning/program.js'
import { atMost, promised, type Row, timingOf } from './measure.js'

const built = (name: string) => import(new URL(`../../dist/service/meaning/${name}`, import.meta.url).href)

/** Other programs slow this one down, so the best of some groups counts. */
const GROUPS = 12
const PER_GROUP = 15
const MB = 1024 ** 2
const MIN_PER_SECOND = 50
const CODES = 1_000_000

/** The processor time of embedding and reading by the built service, against their limits. */
export async function benchMeaning(): Promise<Row[]> {
  // The build has the shape of its source.
  const { loadModels } = (await built('load-models.js')) as typeof LoadModels
  const { checkModel } = (await built('model-files.js')) as typeof ModelFiles
  const { ModelRunner } = (await built('model-runner.js')) as typeof Runner
  setFlagsFromString('--expose_gc')
  const collect: () => void = runInNewContext('gc')
  const rows: Row[] = []
  const add = (what: string, value: number, limit: number, unit = 'ms') =>
    rows.push(atMost({ what, subject: 'models', value, unit }, limit))

  add('check at start', await timed(checkModel), 50)
  const model = await checkModel()
  // The thread first: what it holds is not yet mixed with the models of this thread.
  collect()
  const before = process.memoryUsage().rss
  const runner = new ModelRunner(model)
  await runner.encode(['warm '.repeat(38)])
  await Promise.all(runner.read('Which memory is it?', ['word '.repeat(200)], 'key'))
  const texts = Array.from({ length: 200 }, (_, i) => `${'memory of some words '.repeat(9)} ${i % 10} again`)
  const thread = await best(() => runner.encode(texts), 4, 1)
  const perSecond = (1000 * texts.length) / thread
  collect()
  const resident = (process.memoryUsage().rss - before) / MB
  await runner.close()

  add('load the weights', await best(() => loadModels(model), 5, 1), 200)
  const { encoder, reader } = await loadModels(model)
  const first = 'Which test runner do we use, and why was it chosen?'
  add('first text after that', await timed(() => encoder.encode(first)), 100)
  for (let i = 0; i < 60; i++) encoder.encodeIds(ids(40))
  const pair = (tokens: number) => reader.logitOfPair({ ids: ids(tokens), asked: 9 })
  for (let i = 0; i < 30; i++) pair(40)
  add('12 tokens', await best(() => encoder.encodeIds(ids(12))), 6)
  add('28 tokens', await best(() => encoder.encodeIds(ids(28))), 12)
  add('96 tokens', await best(() => encoder.encodeIds(ids(96))), 45)
  add('a question and three texts, 100 tokens in all', await best(() => [30, 34, 36].map(pair)), 100)
  add('a question and a text of 128 tokens', await best(() => pair(128)), 130)
  const row = { what: 'memories of 40 tokens by the thread', subject: 'models', value: perSecond, unit: '/s' }
  rows.push(promised(row, `≥ ${MIN_PER_SECOND}`, perSecond >= MIN_PER_SECOND))
  add('additional memory of the thread', resident, 90, 'MB')
  add('64 KiB of one word', await best(() => encoder.encode('x'.repeat(65_536)), GROUPS, 2), 20)
  add('64 KiB of emoji', await best(() => encoder.encode('🙂 '.repeat(13_107)), GROUPS, 2), 200)
  const scan = new CodeScan(await loadScanProgram())
  const codes = Uint32Array.from({ length: CODES * CODE_WORDS }, (_, i) => Math.imul(i, 2_654_435_761) >>> 0)
  const nearest = () => scan.nearest(codes, CODES, codes.subarray(0, CODE_WORDS), 400)
  add('the nearest 400 of a million codes', await best(nearest, GROUPS, 1), 40)
  return rows
}

function ids(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 2000 + i * 37)
}

/** The median of each group, and the best of these. */
async function best(work: () => unknown, groups = GROUPS, perGroup = PER_GROUP): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let group = 0; group < groups; group++) {
    const times: number[] = []
    while (times.length < perGroup) times.push(await timed(work))
    least = Math.min(least, timingOf(times).p50)
  }
  return least
}

/** Milliseconds of processor time: what others do on the machine does not count. */
async function timed(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
