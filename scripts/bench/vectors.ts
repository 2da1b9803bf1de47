import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { DIMENSIONS, toBytes, toCode } from '../../src/domain/meaning/nearness.js'
import { encodeRecord, encodeVectorHeader } from '../../src/log/file/vectors.js'
import { checkModel } from '../../src/service/meaning/model-files.js'
import { codeToBytes } from '../../src/store/postgres/meanings/code-bytes.js'
import { createRandom } from '../../test/support/random.js'
import { open } from './graphs.js'
import { GRAPH } from './service.js'

/** Rows that are read and written at once. */
const AT_ONCE = 5_000

/**
 * Gives every memory of the graph in a data folder a vector, as if the model had read it: that would take half an hour
 * for a hundred thousand. No service may run on the folder.
 */
export async function giveVectors(folder: string): Promise<void> {
  const store = await open(folder)
  const ids = new Set<string>()
  for await (const some of (await store.exportGraph(GRAPH)).events)
    for (const { memoryId } of some) ids.add(memoryId)
  await store.close()
  const { identity } = await checkModel()
  const next = vectors()
  const records = Array.from(ids, (id) => encodeRecord({ id, vector: next() }))
  const [graph = ''] = await readdir(join(folder, 'graphs'))
  const path = join(folder, 'graphs', graph, 'vectors')
  await writeFile(path, Buffer.concat([encodeVectorHeader(identity), ...records]))
}

/** The same in a database. */
export async function giveVectorsIn(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const next = vectors()
  const { identity } = await checkModel()
  await client.query('DELETE FROM vectors WHERE graph_id = $1', [GRAPH])
  for (let last = '0', count = AT_ONCE; count === AT_ONCE; ) {
    const { rows } = await client.query<{ memory_id: string; seq: string }>(
      'SELECT memory_id, seq FROM memories WHERE graph_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [GRAPH, last, AT_ONCE],
    )
    const made = rows.map(() => next())
    await client.query(
      `INSERT INTO vectors SELECT $1, u.* FROM unnest($2::text[], $3::bigint[], $4::bytea[], $5::bytea[]) u`,
      [
        GRAPH,
        rows.map(({ memory_id }) => memory_id),
        rows.map(({ seq }) => seq),
        made.map((vector) => codeToBytes(toCode(vector))),
        made.map(({ buffer }) => Buffer.from(buffer)),
      ],
    )
    last = rows.at(-1)?.seq ?? last
    count = rows.length
  }
  await client.query(
    `UPDATE readings r SET model = $2, generation = nextval('reading_numbers'), last_seq = g.last_seq,
      memories = g.memories FROM graphs g WHERE g.graph_id = $1 AND r.graph_id = $1`,
    [GRAPH, identity],
  )
  await client.end()
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
