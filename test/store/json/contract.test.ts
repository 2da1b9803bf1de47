import { randomBytes } from 'node:crypto'
import { openJsonStore } from '../../../src/store/json/store.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'
import { storeContract } from '../contract.js'

storeContract('the JSON store', async (now) => {
  const folder = temporaryFolder()
  const open = () => openJsonStore({ folder, now, randomBytes, log: SILENT })
  let store = await open()
  return {
    store,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    dispose: () => store.close(),
  }
})
