import { defineConfig } from 'vitest/config'

/** The long battery: faults of disks and processes, made on purpose. `FAULTS=full` runs every row at full length. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts'],
    globalSetup: ['test/faults/support/build.ts'],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 900_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
