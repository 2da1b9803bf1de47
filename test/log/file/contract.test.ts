import { randomBytes } from 'node:crypto'
import { TextCache } from '../../../src/domain/text-cache.js'
import { openFileStore } from '../../../src/log/file-store.js'
import { answersContract, storeContract } from '../../store/contract.js'
import { benchOf, type OpenBench } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { runsOf } from '../../support/runs.js'
import { SILENT } from '../../support/silent.js'

const RUNS = runsOf({ quick: 10, full: 50 })

const open: OpenBench = async (now, meaning) => {
  const folder = temporaryFolder()
  const texts = new TextCache()
  return benchOf(texts, () =>
    openFileStore({ folder, now, randomBytes, log: SILENT, texts, ...(meaning && { meaning }) }),
  )
}

storeContract('a store on files', open, RUNS)
answersContract(open, RUNS)
