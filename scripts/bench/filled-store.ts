import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PostgresServer } from '../../test/support/postgres-server.js'
import { type Service, startService } from './service.js'

export type StoreName = 'JSON' | 'PostgreSQL'

const BY_NAME: Readonly<Record<string, StoreName>> = { json: 'JSON', postgres: 'PostgreSQL' }

/** The store of that name, or without one all of them. */
export function storesOf(name: string | undefined): StoreName[] {
  if (name === undefined) return Object.values(BY_NAME)
  const store = BY_NAME[name]
  if (store === undefined) throw new Error(`No store is called ${name}. There are ${Object.keys(BY_NAME)}.`)
  return [store]
}

export const DURABLE = [
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'synchronous_commit=on',
  'checkpoint_timeout=15min',
]

export interface FilledStore {
  readonly service: Service
  dispose(): Promise<void>
}

/** A service on one of the stores, which finds by words alone, with a graph of so many events. */
export async function fillStore(
  store: StoreName,
  eventAt: (index: number) => object,
  count: number,
): Promise<FilledStore> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-bench-'))
  const server = store === 'PostgreSQL' ? await PostgresServer.create(DURABLE) : undefined
  const where = server === undefined ? { LOREGRAPH_DATA: folder } : { DATABASE_URL: server.url() }
  const service = await startService({ env: { ...where, LOREGRAPH_MEANING: 'off' } })
  const dispose = async () => {
    await service.stop()
    await server?.remove()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await service.fill(eventAt, count)
    if (server !== undefined) await settle(server.url())
  } catch (error) {
    await dispose()
    throw error
  }
  return { service, dispose }
}

/** What autovacuum would do in the minutes after a load, in which it and the questions would wait for the same disk. */
export async function settle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('VACUUM (ANALYZE)')
  await client.query('CHECKPOINT')
  await client.end()
}
