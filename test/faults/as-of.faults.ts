import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { TextCache } from '../../src/domain/text-cache.js'
import { openFileStore } from '../../src/log/file-store.js'
import { asOfContract } from '../store/contract/as-of.js'
import { benchOf } from '../store/support.js'
import { temporaryFolder } from '../support/folder.js'
import { openStore } from '../support/postgres.js'
import { PostgresServer } from '../support/postgres-server.js'
import { SILENT } from '../support/silent.js'
import { scaled } from './support/scale.js'

describe('many histories, a store on files', () => {
  asOfContract(
    async (now, meaning) => {
      const folder = temporaryFolder()
      const texts = new TextCache()
      return benchOf(texts, () =>
        openFileStore({ folder, now, randomBytes, log: SILENT, texts, ...(meaning && { meaning }) }),
      )
    },
    scaled(12, 300),
  )
})

describe('many histories, PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.create()
  })
  afterAll(() => server.remove())

  asOfContract(
    async (now, meaning) => {
      const texts = new TextCache()
      const bench = await benchOf(texts, () =>
        openStore(server.url(), { now, texts, ...(meaning && { meaning }) }),
      )
      await bench.store.erase('g', { everything: true }, { dryRun: false }).catch(() => undefined)
      return bench
    },
    scaled(5, 300),
  )
})
