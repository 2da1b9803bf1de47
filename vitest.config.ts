import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The modules of the service are loaded once for each worker, not for each of a hundred files.
    isolate: false,
    // One more than a small machine has cores: many tests wait for processes and deadlines.
    maxWorkers: 3,
    // Whole services come and go with each test: what they leave behind is cleared away less often.
    execArgv: ['--max-semi-space-size=64'],
  },
})
