import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One worker for each core; by default one core is kept back, which on two cores is half of them.
    maxWorkers: '100%',
  },
})
