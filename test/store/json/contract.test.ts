import { randomBytes } from 'node:crypto'
import { TextCache } from '../../../src/domain/text-cache.js'
import { openJsonStore } from '../../../src/store/json/store.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'
import { storeContract } from '../contract.js'

storeContract('the JSON store', async (now, meaning) => {
  const folder = temporaryFolder()
  const texts = new TextCache()
  const open = () =>
    openJsonStore({ folder, now, randomBytes, log: SILENT, texts, ...(meaning && { meaning }) })
  let store = await open()
  return {
    store,
    texts,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    dispose: () => store.close(),
  }
})
