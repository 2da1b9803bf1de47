/**
 * Export and import of a large graph through the command line, on a data folder and on a running service: how long
 * each takes, whether the progress moved, and whether the bytes came out as they went in; and how much more memory the
 * service took while it exported, for which it can be given no more than it must have (`--heap`, in MB).
 *
 *   npm run bench:transfer [-- --memories 100000] [--words 27] [--heap 600]
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { asRecordedNow } from '../src/cli/formats/as-recorded-now.js'
import { encodeExport } from '../src/domain/transfer/encode.js'
import { createEvents } from './bench/data.js'

const IMPORT_MARK_S = 15
const EXPORT_MARK_S = 5
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    words: { type: 'string' },
    heap: { type: 'string' },
  },
})
const memories = Number(values.memories)
const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-transfer-'))
const secret = randomBytes(32).toString('base64url')
let missed = 0

try {
  console.log(`${memories.toLocaleString('en')} memories`)
  const first = join(folder, 'first.ndjson')
  await pipeline(Readable.from(exported()), createWriteStream(first))
  const here = { LOREGRAPH_DATA: join(folder, 'one') }
  const second = join(folder, 'second.ndjson')
  await timed('import, folder', IMPORT_MARK_S, here, ['import', 'g', first])
  await timed('export, folder', EXPORT_MARK_S, here, ['export', 'g', '--out', second])

  const serve = [MAIN, 'serve', '--port', '0', '--data', join(folder, 'three')]
  const limit = values.heap === undefined ? [] : [`--max-old-space-size=${values.heap}`]
  const service = spawn(process.execPath, [...limit, ...serve], {
    env: { ...process.env, LOREGRAPH_SECRET: secret, LOREGRAPH_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: service.stdout }), 'line')
  const there = {
    LOREGRAPH_URL: String(line).replace('loregraph listening on ', ''),
    LOREGRAPH_SECRET: secret,
  }
  const third = join(folder, 'third.ndjson')
  await timed('import, service', IMPORT_MARK_S, there, ['import', 'g', first])
  const before = await residentMb(service.pid)
  let most = before
  const watching = setInterval(async () => {
    most = Math.max(most, await residentMb(service.pid))
  }, 20)
  await timed('export, service', EXPORT_MARK_S, there, ['export', 'g', '--out', third])
  clearInterval(watching)
  const { size } = await stat(third)
  console.log(
    `The service had ${Math.round(before)} MB and took ${Math.round(most - before)} MB more to export ${Math.round(size / 1e6)} MB.`,
  )
  service.kill('SIGTERM')
  await once(service, 'exit')
  const [given, ...taken] = await Promise.all([first, second, third].map((file) => readFile(file)))
  const same = taken.every((bytes) => given?.equals(bytes))
  console.log(same ? 'The bytes are the same.' : 'THE BYTES DIFFER.')
  if (!same) missed++
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = missed === 0 ? 0 : 1

/** What a process holds in memory; 0 where the system does not tell. */
async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function timed(name: string, mark: number, env: Record<string, string>, args: readonly string[]) {
  const started = performance.now()
  const child = spawn(process.execPath, [MAIN, ...args, '--progress'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const told = new Set<string>()
  createInterface({ input: child.stderr }).on('line', (text) =>
    told.add(/([\d,]+) events/.exec(text)?.[1] ?? text),
  )
  const [code] = await once(child, 'close')
  const seconds = (performance.now() - started) / 1000
  const moved = told.size > 2
  const fine = code === 0 && moved && seconds <= mark
  if (!fine) missed++
  console.log(
    `${name.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s (mark ${mark} s), progress told ${told.size} times${fine ? '' : `  MISSED (exit ${code})`}`,
  )
}

/** What the service would export had it recorded these. */
function exported(): AsyncIterable<string> {
  const event = createEvents(7, values.words === undefined ? undefined : Number(values.words))
  const events = Array.from({ length: memories }, (_, i) => event(i))
  const exportedAt = '2026-03-02T09:30:00.000Z'
  const recorded = asRecordedNow(events, { now: () => new Date(exportedAt), randomBytes })
  const graph = { graphId: 'g', exportedAt, events: Readable.from(recorded) }
  return encodeExport(graph, createHash('sha256'))
}
