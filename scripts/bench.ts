/**
 * Measures the build. Without a name: `store`, `peers`, `insight` and `large`, one after the other.
 *
 *   npm run bench [-- <name> …] [--quick] [--json file]
 *   npm run bench -- http [--rounds 15] [--seconds 1]
 *   npm run bench -- load [--size 20000] [--seconds 1]
 *   npm run bench -- postgres [--size 10000 --size 100000] [--rounds 20]
 *   npm run bench -- compare --with <folder of another checkout that is built> [--size 10000] [--rounds 20]
 *   npm run bench -- mcp [--size 10000]
 *   npm run bench -- meaning
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Row, tableOf } from './bench/measure.js'
import { isBuilt } from './build/built.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    /** How many memories. */
    size: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '1' },
    with: { type: 'string' },
  },
})
const { quick } = values
const sizes = (short: number[], long: number[]) => values.size?.map(Number) ?? (quick ? short : long)
const size = (short: number, long: number) => sizes([short], [long])[0] ?? long
const rounds = (usual: number) => Number(values.rounds ?? (quick ? 4 : usual))

/** Each is loaded only when it is run: some load the build, some a database. */
const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  store: async () =>
    (await import('./bench/store.js')).benchStore(sizes([1000, 5000], [1000, 10_000, 100_000])),
  peers: async () => (await import('./bench/peers.js')).benchPeers(size(1000, 10_000)),
  insight: async () =>
    (await import('./bench/insight.js')).benchInsight(sizes([500, 10_000], [500, 10_000, 100_000])),
  large: async () => (await import('./bench/large.js')).benchLarge(sizes([20_000], [200_000, 1_000_000])),
  http: async () => (await import('./bench/http.js')).benchHttp(rounds(15), Number(values.seconds)),
  load: async () =>
    (await import('./bench/load.js')).benchLoad({
      memories: size(2000, 20_000),
      imported: quick ? 5000 : 100_000,
      seconds: Number(values.seconds) * 5,
    }),
  postgres: async () =>
    (await import('./bench/postgres.js')).benchPostgres(
      sizes([2000, 10_000], [10_000, 100_000, 1_000_000]),
      rounds(20),
    ),
  compare: async () =>
    (await import('./bench/compare.js')).benchCompare(values.with, size(2000, 10_000), rounds(20)),
  mcp: async () => (await import('./bench/mcp.js')).benchMcp(size(1000, 10_000)),
  meaning: async () => (await import('./bench/meaning.js')).benchMeaning(),
}
const USUAL = ['store', 'peers', 'insight', 'large']

const names = positionals.length > 0 ? positionals : USUAL
const unknown = names.filter((name) => BENCHES[name] === undefined)
if (unknown.length > 0)
  throw new Error(`No bench is called ${unknown}. There are ${Object.keys(BENCHES).join(', ')}.`)
if (!isBuilt()) execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
const rows: Row[] = []
for (const name of names) {
  console.error(`${name} …`)
  rows.push(...((await BENCHES[name]?.()) ?? []))
}
const machine = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: availableParallelism(),
  load: loadavg()[0],
  at: new Date().toISOString(),
}
console.log(
  `Node ${machine.node}, ${machine.cores} cores, load ${machine.load?.toFixed(1)}\n\n${tableOf(rows)}`,
)
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`)
// The promises are for graphs of full size.
if (!quick && rows.some(({ kept }) => kept === false)) process.exitCode = 1
