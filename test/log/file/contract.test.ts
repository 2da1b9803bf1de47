import { randomBytes } from 'node:crypto'
import { TextCache } from '../../../src/domain/text-cache.js'
import { openFileStore } from '../../../src/log/file-store.js'
import { storeContract } from '../../store/contract.js'
import { benchOf } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { runsOf } from '../../support/runs.js'
import { SILENT } from '../../support/silent.js'

storeContract(
  'a store on files',
  async (now, meaning) => {
    const folder = temporaryFolder()
    const texts = new TextCache()
    return benchOf(texts, () =>
      openFileStore({ folder, now, randomBytes, log: SILENT, texts, ...(meaning && { meaning }) }),
    )
  },
  runsOf({ quick: 10, full: 50 }),
)
