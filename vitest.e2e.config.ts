import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.js'

/** The program as people run it: installed from its package, from the command line, on a database. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    globalSetup: [
      'test/support/postgres-setup.ts',
      'test/faults/support/build.ts',
      'test/support/explorer-setup.ts',
    ],
    experimental: { fsModuleCache: true },
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The modules of the tests are loaded once for each worker, not for each file.
    isolate: false,
    // One more than a small machine has cores: half of the time is spent waiting.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
})
