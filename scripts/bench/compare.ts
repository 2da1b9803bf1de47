import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openFileLog } from '../../src/log/file/file-log.js'
import { encodeVectorHeader } from '../../src/log/file/vectors.js'
import type * as ModelFiles from '../../src/service/meaning/model-files.js'
import { createRandom } from '../../test/support/random.js'
import { readGraphs } from '../quality/graphs.js'
import { median, type Row } from './measure.js'
import { askAll, EACH, type Took } from './questions.js'
import { GRAPH, startService, throughput } from './service.js'
import { SyntheticGraphs } from './synthetic-graphs.js'
import { giveVectors, recordedFolder } from './vectors.js'

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
  const root = resolve(other)
  const graphs = new SyntheticGraphs(await readGraphs())
  // The other build may not read what this one has written, but this one reads what the other has.
  const folder = await recordedFolder(graphs, memories, root)
  const copy = `${folder}-copy`
  await cp(folder, copy, { recursive: true })
  await giveVectors(await openFileLog({ folder: copy, randomBytes, log: console }))
  await copyVectors(copy, folder, root)
  const old = await startService({ root, env: { LOREGRAPH_DATA: folder } })
  const now = await startService({ env: { LOREGRAPH_DATA: copy } })
  try {
    for (const service of [old, now]) await service.sendOnceOpen(`/v1/contexts/${GRAPH}`)
    const path = `/v1/contexts/${GRAPH}/${graphs.event(0).context_id.split(':', 1)}`
    const rates = { old: [] as number[], now: [] as number[] }
    for (let round = 0; round <= rounds; round++)
      for (const [side, { url }] of Object.entries({ old, now })) {
        const rate = await throughput({ url: url + path, duration: SECONDS, connections: CONNECTIONS })
        // The first round warms up.
        if (round > 0) rates[side === 'old' ? 'old' : 'now'].push(rate)
      }
    const rows = beside('listContexts, 10 connections', 'requests/s', rates.old, rates.now, 1)
    for (const [kind, bySide] of await askAll({ old, now }, graphs, memories, rounds)) {
      const [before = NO_TIMES, after = NO_TIMES] = [bySide.get('old'), bySide.get('now')]
      const value = after.cpuMs / before.cpuMs
      rows.push(
        ...beside(`${kind}, p50`, 'ms', before.times, after.times, kind.startsWith('batch') ? 1 : EACH),
        { what: `${kind}, processor time`, subject: 'new ÷ old', value, unit: '×' },
      )
    }
    return rows
  } finally {
    await old.stop()
    await now.stop()
    for (const one of [folder, copy]) await rm(one, { recursive: true, force: true })
  }
}

/** The vectors of one folder as if the model of the other build had made them. */
async function copyVectors(from: string, to: string, root: string): Promise<void> {
  const url = pathToFileURL(join(root, 'dist/service/meaning/model-files.js'))
  const built: typeof ModelFiles = await import(url.href)
  const { identity } = await built.checkModel()
  const pathIn = async (folder: string) => {
    const [graph = ''] = await readdir(join(folder, 'graphs'))
    return join(folder, 'graphs', graph, 'vectors')
  }
  const vectors = await readFile(await pathIn(from))
  const records = vectors.subarray(vectors.indexOf('\n') + 1)
  await writeFile(await pathIn(to), Buffer.concat([encodeVectorHeader(identity), records]))
}

/** What it took on both sides, each sample of a round beside those of the same round. */
function beside(
  what: string,
  unit: string,
  before: readonly number[],
  after: readonly number[],
  perRound: number,
): Row[] {
  const [old, now] = [median(before), median(after)]
  const [least, most] = interval(before, after, perRound)
  const subject = `new ÷ old, ${least.toFixed(2)} to ${most.toFixed(2)}`
  return [
    { what, subject: 'old', value: old, unit },
    { what, subject: 'new', value: now, unit },
    { what, subject, value: now / old, unit: '×' },
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
