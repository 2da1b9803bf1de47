import { defineConfig } from 'vitest/config'

/** More than the service can carry, and whatever is measured. It needs the machine to itself, so nothing else runs beside it. */
export default defineConfig({
  test: {
    include: ['test/load/**/*.load.ts'],
    globalSetup: ['test/support/postgres-setup.ts', 'test/faults/support/build.ts'],
    experimental: { fsModuleCache: true },
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    // A machine that is shared may be busy with something else for as long as a test takes.
    retry: 1,
  },
})
