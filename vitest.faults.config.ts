import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.js'

/** The long battery: faults of disks and processes, made on purpose. `FAULTS=full` runs every row at full length. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts'],
    globalSetup: ['test/faults/support/build.ts'],
    experimental: { fsModuleCache: true },
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 900_000,
    hookTimeout: 120_000,
    // One more than a small machine has cores: half of the time is spent waiting.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
})
