import type { Store } from '../../src/store/store.js'
import { openStore, type TestDatabase } from '../support/postgres.js'
import type { World } from './world.js'

/** Everything is in the database, so that a process that is killed and one that is stopped leave the same behind. */
export async function postgresWorld(database: TestDatabase): Promise<World> {
  await database.empty()
  const open = () => openStore(database.url, { poolSize: 4 })
  const abandoned: Store[] = []
  let store = await open()
  return {
    get store() {
      return store
    },
    async restart() {
      await store.close()
      store = await open()
    },
    async crash() {
      abandoned.push(store)
      store = await open()
    },
    async end() {
      for (const it of [...abandoned, store]) await it.close()
    },
  }
}
