import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DIMENSIONS, toBytes } from '../../src/domain/meaning/nearness.js'
import { openFileLog } from '../../src/log/file/file-log.js'
import type { GraphLog } from '../../src/log/graph-log.js'
import { checkModel } from '../../src/service/meaning/model-files.js'
import { createRandom } from '../../test/support/random.js'
import { GRAPH, startService } from './service.js'
import type { SyntheticGraphs } from './synthetic-graphs.js'

/** A new data folder with a graph of so many memories of real sentences, and made-up vectors. */
export async function filledFolder(graphs: SyntheticGraphs, memories: number): Promise<string> {
  const folder = await recordedFolder(graphs, memories)
  await giveVectors(await openFileLog({ folder, randomBytes, log: console }))
  return folder
}

/** The same without vectors, written by the build of a checkout. */
export async function recordedFolder(
  graphs: SyntheticGraphs,
  memories: number,
  root?: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const env = { LOREGRAPH_DATA: folder, LOREGRAPH_MEANING: 'off' }
  const service = await startService(root === undefined ? { env } : { root, env })
  await service.fill((i) => graphs.event(i), memories)
  await service.stop()
  return folder
}

/**
 * Gives every memory of the graph a vector, as if the model had read it: that would take half an hour for a hundred thousand.
 * No service may run on the log, which is closed afterwards.
 */
export async function giveVectors(log: GraphLog): Promise<void> {
  const { identity } = await checkModel()
  const next = vectors()
  const head = await log.head(GRAPH)
  const store = log.vectors(GRAPH, identity, () => head)
  for await (const entries of log.read(GRAPH, undefined)) {
    const ids = entries.flatMap(({ records }) =>
      records.flatMap((record) => (record.op === 'recorded' ? [record.id] : [])),
    )
    await store.append(ids.map((id) => ({ id, vector: next() })))
  }
  await store.close()
  await log.close()
}

/** Vectors in any direction, the same ones each time; made from a pool, which is far quicker. */
function vectors(): () => Int8Array {
  const random = createRandom(11)
  const pool = Array.from({ length: 512 }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5),
  )
  const one = () => pool[Math.floor(random() * pool.length)] ?? new Float32Array(DIMENSIONS)
  return () => {
    const [a, b, c] = [one(), one(), one()]
    return toBytes(a.map((component, i) => component + (b[i] ?? 0) + 0.5 * (c[i] ?? 0)))
  }
}
