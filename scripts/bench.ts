import { execFileSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchInsight } from './bench/insight.js'
import { benchLarge } from './bench/large.js'
import { type Row, tableOf } from './bench/measure.js'
import { benchPeers } from './bench/peers.js'
import { benchServer } from './bench/server.js'
import { benchStore } from './bench/store.js'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
    store: { type: 'string' },
    size: { type: 'string', multiple: true },
  },
})
const { quick } = values

/** `--store postgres`: both stores beside each other; `--size` says at how many memories. */
const sizes = values.size?.map(Number) ?? (quick ? [2000, 10_000] : [10_000, 100_000, 1_000_000])

const usual: Record<string, () => Promise<Row[]>> = {
  store: () => benchStore(quick ? [1000, 5000] : [1000, 10_000, 100_000]),
  server: async () =>
    benchServer(await mkdtemp(join(tmpdir(), 'loregraph-bench-')), quick ? 2000 : 10_000, quick ? 1 : 4),
  peers: () => benchPeers(quick ? 1000 : 10_000),
  insight: () => benchInsight(quick ? [500, 10_000] : [500, 10_000, 100_000]),
  large: () => benchLarge(quick ? 20_000 : 200_000),
}

const parts: typeof usual =
  values.store === 'postgres'
    ? { postgres: async () => (await import('./bench/postgres.js')).benchPostgres(sizes) }
    : usual

// What is measured over HTTP is the built service.
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
const rows: Row[] = []
for (const [name, run] of Object.entries(parts)) {
  if (values.only !== undefined && !values.only.includes(name)) continue
  console.error(`${name} …`)
  rows.push(...(await run()))
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
