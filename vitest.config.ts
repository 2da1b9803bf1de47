import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.js'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/memory-setup.ts', 'test/support/postgres-setup.ts'],
    // What was compiled is not compiled again as long as it stays the same.
    experimental: { fsModuleCache: true },
    // For what hangs: a machine that is shared may be ten times as slow as it was a minute ago.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The modules of the service are loaded once for each worker, not for each of a hundred files.
    isolate: false,
    // One more than a small machine has cores: many tests wait for processes and deadlines.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Whole services come and go with each test: what they leave behind is cleared away less often.
    execArgv: ['--max-semi-space-size=64'],
  },
})
