import { afterEach, beforeEach } from 'vitest'
import type { TextCache } from '../../../src/domain/text-cache.js'
import type { Meaning } from '../../../src/store/meaning.js'
import type { Store } from '../../../src/store/store.js'
import { type Bench, createClock, type OpenBench } from '../support.js'

/** A fresh store for each test of a suite, with a meaning of its own if one is made. */
export function useStore(open: OpenBench, makeMeaning?: () => Promise<Meaning>) {
  let bench: Bench | undefined
  let store: Store | undefined
  const clock = createClock()
  beforeEach(async () => {
    clock.set('2025-01-01T00:00:00.000Z')
    bench = await open(clock.now, await makeMeaning?.())
    store = bench.store
  })
  afterEach(async () => {
    await bench?.dispose()
  })
  return {
    clock,
    get store(): Store {
      if (store === undefined) throw new Error('The store is opened before each test.')
      return store
    },
    get texts(): TextCache {
      if (bench === undefined) throw new Error('The store is opened before each test.')
      return bench.texts
    },
    async reopen(): Promise<Store> {
      store = await bench?.reopen()
      return this.store
    },
    /** The store as it is, and then as it is after it was closed and opened. */
    async *nowAndReopened(): AsyncGenerator<Store> {
      yield this.store
      yield await this.reopen()
    },
  }
}
