import { defineConfig } from 'vitest/config'

/** More load than the service can carry. It needs the machine to itself, so nothing else runs beside it. */
export default defineConfig({
  test: {
    include: ['test/load/**/*.load.ts'],
    globalSetup: ['test/faults/support/build.ts'],
    testTimeout: 300_000,
    maxWorkers: 1,
  },
})
