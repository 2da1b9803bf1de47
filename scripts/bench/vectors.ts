import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DIMENSIONS, toBytes } from '../../src/domain/meaning/nearness.js'
import { encodeRecord, encodeVectorHeader } from '../../src/log/file/vectors.js'
import { openPostgresLog } from '../../src/log/postgres/log.js'
import type * as ModelFiles from '../../src/service/meaning/model-files.js'
import { checkModel } from '../../src/service/meaning/model-files.js'
import { createRandom } from '../../test/support/random.js'
import { ROOT } from '../proof/paths.js'
import { open } from './graphs.js'
import { GRAPH } from './service.js'

const MODEL_FILES = 'dist/service/meaning/model-files.js'

/**
 * Gives every memory of the graph in a data folder a vector, as if the model had read it: that would take half an hour
 * for a hundred thousand. No service may run on the folder. One that this build cannot or must not open is given those
 * of the same graph in another folder.
 */
export async function giveVectors(
  folder: string,
  { listedIn = folder, root = ROOT }: { listedIn?: string; root?: string } = {},
): Promise<void> {
  const store = await open(listedIn)
  const ids = new Set<string>()
  for await (const some of (await untilOpen(() => store.exportGraph(GRAPH))).events)
    for (const { memoryId } of some) ids.add(memoryId)
  await store.close()
  // Vectors are of the program that embeds, so each build has its own.
  const ofRoot: typeof ModelFiles = await import(pathToFileURL(join(root, MODEL_FILES)).href)
  const { identity } = await ofRoot.checkModel()
  const next = vectors()
  const records = Array.from(ids, (id) => encodeRecord({ id, vector: next() }))
  const [graph = ''] = await readdir(join(folder, 'graphs'))
  const path = join(folder, 'graphs', graph, 'vectors')
  await writeFile(path, Buffer.concat([encodeVectorHeader(identity), ...records]))
}

/** Opening a large graph takes longer than a question waits for it. */
async function untilOpen<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      // The failures of the build are of a class of its own.
      if (!(error instanceof Error && 'code' in error && error.code === 'storage_unavailable')) throw error
    }
  }
}

/** The same in a database. */
export async function giveVectorsIn(url: string): Promise<void> {
  const log = await openPostgresLog({ url, randomBytes, log: console })
  const next = vectors()
  const { identity } = await checkModel()
  const store = log.vectors(GRAPH, identity)
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
