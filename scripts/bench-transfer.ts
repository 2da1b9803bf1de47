/**
 * Export and import of a large graph through the command line, on a data folder and on a running service: how long
 * each takes, whether the progress moved, and whether the bytes came out as they went in.
 *
 *   npm run bench:transfer [-- --memories 100000]
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const IMPORT_MARK_S = 15
const EXPORT_MARK_S = 5
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const WORDS =
  'cache pool queue index login token retry build deploy test schema vector parser cursor shard'.split(' ')

const { values } = parseArgs({ options: { memories: { type: 'string', default: '100000' } } })
const memories = Number(values.memories)
const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-transfer-'))
const secret = randomBytes(32).toString('base64url')
let missed = 0

try {
  const facts = join(folder, 'facts.txt')
  await writeFile(facts, Array.from({ length: memories }, (_, i) => fact(i)).join('\n'))
  console.log(`${memories.toLocaleString('en')} memories`)
  const here = { LOREGRAPH_DATA: join(folder, 'one') }
  const first = join(folder, 'first.ndjson')
  await timed('import of facts, folder', IMPORT_MARK_S, here, ['import', 'g', facts, '--format', 'facts'])
  await timed('export, folder', EXPORT_MARK_S, here, ['export', 'g', '--out', first])
  await timed('import, folder', IMPORT_MARK_S, { LOREGRAPH_DATA: join(folder, 'two') }, [
    'import',
    'g',
    first,
  ])

  const service = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--data', join(folder, 'three')], {
    env: { ...process.env, LOREGRAPH_SECRET: secret, LOREGRAPH_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: service.stdout }), 'line')
  const there = {
    LOREGRAPH_URL: String(line).replace('loregraph listening on ', ''),
    LOREGRAPH_SECRET: secret,
  }
  const second = join(folder, 'second.ndjson')
  await timed('import, service', IMPORT_MARK_S, there, ['import', 'g', first])
  await timed('export, service', EXPORT_MARK_S, there, ['export', 'g', '--out', second])
  service.kill('SIGTERM')
  await once(service, 'exit')
  const same = (await readFile(first)).equals(await readFile(second))
  console.log(same ? 'The bytes are the same.' : 'THE BYTES DIFFER.')
  if (!same) missed++
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = missed === 0 ? 0 : 1

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

function fact(i: number): string {
  const word = (n: number) => WORDS[n % WORDS.length]
  return `Fact ${i}: the ${word(i)} of the ${word(i * 7 + 3)} service needs a ${word(i * 13 + 5)} before step ${i % 97}, or the ${word(i * 3 + 1)} fails after ${i % 61} seconds`
}
