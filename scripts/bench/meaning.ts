/** The processor time of embedding and reading, against their limits. */
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { CodeScan } from '../../src/domain/meaning/code-scan.js'
import { CODE_WORDS } from '../../src/domain/meaning/nearness.js'
import { loadScanProgram } from '../../src/service/meaning/program.js'
import { promised, type Row, tableOf } from './measure.js'

/** Other programs slow this one down, so the fastest of some runs counts. */
const GROUPS = 12

const rows = [...builtRows(), await scanRow()]
console.log(`Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}\n\n${tableOf(rows)}`)
if (rows.some(({ kept }) => kept === false)) process.exitCode = 1

/** What is measured of the models is the built service, in a process of its own. */
function builtRows(): Row[] {
  const script = fileURLToPath(new URL('./meaning-process.mjs', import.meta.url))
  const output = execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' })
  const measured = JSON.parse(output) as Record<string, number>
  const row = (what: string, key: string, unit: string, limit: number, most = true): Row => {
    const value = measured[key] ?? Number.NaN
    const kept = most ? value <= limit : value >= limit
    return promised({ what, subject: 'models', value, unit }, `${most ? '≤' : '≥'} ${limit} ${unit}`, kept)
  }
  return [
    row('check at start', 'check', 'ms', 50),
    row('load the weights', 'load', 'ms', 200),
    row('first text after that', 'first', 'ms', 100),
    row('12 tokens', 'tokens12', 'ms', 6),
    row('28 tokens', 'tokens28', 'ms', 12),
    row('96 tokens', 'tokens96', 'ms', 45),
    row('a question and three texts, 100 tokens in all', 'threePairs', 'ms', 100),
    row('a question and a text of 128 tokens', 'pair128', 'ms', 130),
    row('memories of 40 tokens by the thread', 'perSecond', '/s', 50, false),
    row('additional memory of the thread', 'resident', 'MB', 90),
    row('64 KiB of one word', 'oneWord', 'ms', 20),
    row('64 KiB of emoji', 'emoji', 'ms', 200),
  ]
}

async function scanRow(): Promise<Row> {
  const scan = new CodeScan(await loadScanProgram())
  const count = 1_000_000
  const codes = new Uint32Array(count * CODE_WORDS)
  for (let i = 0, state = 1; i < codes.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    codes[i] = state ^ (state >>> 13)
  }
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < GROUPS; i++) {
    const start = process.cpuUsage()
    scan.nearest(codes, count, codes.subarray(i * CODE_WORDS, (i + 1) * CODE_WORDS), 400)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  const row = { what: 'the nearest 400 of a million codes', subject: 'scan', value: best, unit: 'ms' }
  return promised(row, '≤ 40 ms', best <= 40)
}
