import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TextCache } from '../../../src/domain/text-cache.js'
import { openJsonStore } from '../../../src/store/json/store.js'
import { storeContract } from '../contract.js'

const log = { info() {}, warn() {}, error() {} }

storeContract('the JSON store', async (now) => {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-'))
  const texts = new TextCache()
  const open = () => openJsonStore({ folder, now, randomBytes, log, texts })
  let store = await open()
  return {
    store,
    texts,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    async dispose() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
