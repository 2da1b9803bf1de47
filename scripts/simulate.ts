/**
 * `npm run simulate -- --seeds 10000`: runs so many histories of processes, faults and clients over a log in memory. With
 * `--from 7` they begin with seed 7; with `--seed 7` only that one is run, and its steps are printed if it fails.
 */
import { parseArgs } from 'node:util'
import { LONG, SHORT, simulate } from '../test/simulation/simulation.js'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** Histories as short as those of `npm test`. */
    short: { type: 'boolean', default: false },
    /** Ends with the first seed that fails. */
    first: { type: 'boolean', default: false },
  },
})
const from = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const started = process.hrtime.bigint()
let failed = 0
for (let seed = from; seed < from + count; seed++) {
  const steps: string[] = []
  try {
    await simulate(seed, values.short ? SHORT : LONG, steps)
  } catch (error) {
    failed++
    if (count === 1) console.error(steps.join('\n'))
    console.error(count === 1 ? error : String(error).slice(0, 600))
    if (values.first) break
  }
}
const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1_000
console.log(`${count} seeds, ${failed} failed, ${seconds.toFixed(1)} s`)
process.exitCode = failed === 0 ? 0 : 1
