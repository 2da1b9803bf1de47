/**
 * `npm run same-bytes [-- 20 22 24]`: asks the build, on files and on PostgreSQL and under each of these versions of Node, the
 * same 500 questions of the same graphs, which each reads for meaning itself; fails unless all answers are the same bytes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PostgresServer } from '../test/support/postgres-server.js'
import { startProgram } from '../test/support/program.js'
import { ROOT } from './proof/paths.js'
import { readGraphs } from './quality/graphs.js'

const SECRET = 'a-secret-for-the-same-bytes-and-nothing-else'
const QUESTIONS = 500

type Ask = (path: string, body?: string, type?: string) => Promise<string>

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
const graphs = await readGraphs()
const tasks = graphs.flatMap(({ tasks }, graph) => tasks.map(({ task }) => ({ graph_id: `g${graph}`, task })))
const questions = Array.from({ length: QUESTIONS }, (_, i): [path: string, body: object] => {
  const { graph_id, task } = tasks[i % tasks.length] ?? { graph_id: '', task: '' }
  return i < tasks.length
    ? ['/v1/memories/insights', { graph_id, task, explain: true }]
    : ['/v1/memories', { graph_id, query: task, ...(i % 2 === 0 && { format: 'json' }) }]
})
const server = await PostgresServer.create()
const folder = await mkdtemp(join(tmpdir(), 'loregraph-same-bytes-'))
let exports: readonly string[] | undefined
const hashes = new Set<string>()
try {
  for (const version of versions) {
    const node = execFileSync('npx', ['-y', `node@${version}`, '-p', 'process.execPath'], {
      encoding: 'utf8',
    }).trim()
    for (const store of ['files', 'PostgreSQL']) {
      const env =
        store === 'files'
          ? { LOREGRAPH_DATA: join(folder, version) }
          : { DATABASE_URL: await databaseFor(version) }
      const hash = await hashOf(node, env)
      hashes.add(hash)
      console.log(`${hash}  ${execFileSync(node, ['-v'], { encoding: 'utf8' }).trim()}, ${store}`)
    }
  }
} finally {
  await server.remove()
  await rm(folder, { recursive: true, force: true })
}
console.log(`${QUESTIONS} questions, ${2 * versions.length} services: ${hashes.size} different answers`)
process.exitCode = hashes.size === 1 ? 0 : 1

/** A database of its own for each version. */
async function databaseFor(version: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  await client.query(`CREATE DATABASE node_${version}`)
  await client.end()
  return server.url(`node_${version}`)
}

async function hashOf(node: string, env: Readonly<Record<string, string>>): Promise<string> {
  const program = startProgram(['serve'], {
    command: [node, join(ROOT, 'dist/main.js')],
    env: { LOREGRAPH_PORT: '0', LOREGRAPH_SECRET: SECRET, LOREGRAPH_RATE_LIMIT: 'off', ...env },
  })
  try {
    const url = await program.url
    const ask: Ask = async (path, body, type = 'application/json') => {
      const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': type }
      const response = await fetch(
        url + path,
        body === undefined ? { headers } : { method: 'POST', headers, body },
      )
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return text
    }
    exports = await fill(ask)
    const hash = createHash('sha256')
    for (const [path, body] of questions) hash.update(await ask(path, JSON.stringify(body)))
    return hash.digest('hex')
  } finally {
    await program.stop()
  }
}

/** Records the graphs, or imports what another service has exported, and waits until all of it is read for meaning. */
async function fill(ask: Ask): Promise<readonly string[]> {
  for (const [i, { events }] of graphs.entries()) {
    const [path, graph_id] = [`/v1/graphs/g${i}/events`, `g${i}`]
    if (exports !== undefined) await ask(path, exports[i], 'application/x-ndjson')
    else
      await ask(
        '/v1/events/batch',
        JSON.stringify({ graph_id, events: events.map(({ key: _, ...event }) => event) }),
      )
    const question = JSON.stringify({ graph_id, task: 'What is known?', explain: true })
    while (JSON.parse(await ask('/v1/memories/insights', question)).unread > 0) await sleep(200)
  }
  return exports ?? Promise.all(graphs.map((_, i) => ask(`/v1/graphs/g${i}/events`)))
}
