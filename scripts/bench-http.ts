/**
 * `listContexts` with 20 items through the whole service, as a share of bare express sending the same bytes. Both run
 * as processes of their own, take turns, and are asked by the same client; the median of the ratios counts.
 *
 *   npm run bench:http [-- --rounds 15 --seconds 1]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import express from 'express'

const TARGET = 0.6
const ITEMS = 20
const PATH = '/v1/contexts/bench/skill'
const CONNECTIONS = 10

const { values } = parseArgs({
  options: {
    bare: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '1' },
  },
})
if (values.bare) serveBare()
else await bench(Number(values.rounds), Number(values.seconds))

async function bench(rounds: number, seconds: number): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const secret = randomBytes(32).toString('base64url')
  const headers = { authorization: `Bearer ${secret}` }
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const loregraph = start([main, 'serve', '--port', '0', '--data', data], { LOREGRAPH_SECRET: secret })
  const bare = start([fileURLToPath(import.meta.url), '--bare'])
  try {
    const [ours, theirs] = await Promise.all([loregraph.url, bare.url])
    await fill(ours, headers)
    const bytes = await (await fetch(ours + PATH, { headers })).text()
    await fetch(theirs + PATH, { method: 'PUT', body: bytes })
    const load = (url: string, duration: number) => measure(url + PATH, headers, duration)
    await load(theirs, 2)
    await load(ours, 2)
    console.log(
      `listContexts, ${ITEMS} items, ${bytes.length} bytes, ${CONNECTIONS} connections, ${seconds} s a turn`,
    )
    console.log('round   bare express   loregraph   ratio')
    const ratios: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const before = await load(theirs, seconds)
      const own = await load(ours, seconds)
      const ratio = own / before
      ratios.push(ratio)
      console.log(
        `${pad(round, 5)} ${pad(before.toFixed(0), 14)} ${pad(own.toFixed(0), 11)} ${pad(ratio.toFixed(3), 7)}`,
      )
    }
    const median = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
    console.log(
      `median ratio ${median.toFixed(3)} (target ${TARGET}): ${median >= TARGET ? 'met' : 'MISSED'}`,
    )
    if (median < TARGET) process.exitCode = 1
  } finally {
    loregraph.child.kill('SIGTERM')
    bare.child.kill('SIGTERM')
    await rm(data, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Requests a second. An answer other than 2xx would make the number worthless. */
async function measure(url: string, headers: Record<string, string>, duration: number): Promise<number> {
  const result = await autocannon({ url, headers, duration, connections: CONNECTIONS })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were not 2xx`)
  return result.requests.total / result.duration
}

async function fill(url: string, headers: Record<string, string>): Promise<void> {
  const events = Array.from({ length: ITEMS }, (_, i) => ({
    event_kind: 'fact',
    context_id: `skill:topic_${i}`,
    payload: { data: `What is known of topic ${i}` },
  }))
  const response = await fetch(`${url}/v1/events/batch`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ graph_id: 'bench', events }),
  })
  if (response.status !== 201) throw new Error(await response.text())
}

function start(
  args: string[],
  env: Record<string, string> = {},
): { child: ChildProcess; url: Promise<string> } {
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const url = new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${args[0]} ended before it listened`)))
    if (child.stdout === null) return reject(new Error('no output'))
    createInterface(child.stdout).on('line', (line) => {
      const found = /listening on (\S+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return { child, url }
}

/** The other side: express as it comes, and one route that sends a text it has ready. */
function serveBare(): void {
  const app = express()
  let bytes = ''
  app.put('/v1/contexts/:graph_id/:context_type', express.text({ type: '*/*' }), (req, res) => {
    bytes = req.body
    res.end()
  })
  app.get('/v1/contexts/:graph_id/:context_type', (_req, res) => {
    res.type('application/json').send(bytes)
  })
  const server = app.listen(0, '127.0.0.1', () => {
    // The address of a server that listens on a port is never a string.
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}

function pad(value: string | number, width: number): string {
  return String(value).padStart(width)
}
