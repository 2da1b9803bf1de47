import { execFile } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { add, entryAt, openLog, textsOf } from '../log/postgres/support.js'
import { createDatabase } from '../support/postgres.js'
import { PostgresServer } from '../support/postgres-server.js'
import { mountSmall } from './support/tools.js'

const run = promisify(execFile)

test('D6: a full disk refuses writes and nothing else, and says so until there is room', async (context) => {
  const server = await PostgresServer.create()
  onTestFinished(() => server.remove())
  const database = await createDatabase(server.url())
  const folder = await mountSmall(context, '24m')
  await chown(folder, 65_534, 65_534)
  await database.query(`CREATE TABLESPACE small LOCATION '${folder}'`)
  await database.query('CREATE DATABASE filled TABLESPACE small')
  const url = new URL(database.url)
  url.pathname = '/filled'
  const log = await openLog(url.href)
  await add(log, 'g', 'first')
  // Text that cannot be compressed.
  const text = () => Array.from({ length: 12_000 }, () => Math.random().toString(36)).join('')
  const refusals: unknown[] = []
  let written = 1
  while (refusals.length < 5)
    await add(log, 'g', text()).then(
      () => written++,
      (error: unknown) => refusals.push(error),
    )
  for (const refusal of refusals)
    expect(refusal).toMatchObject({
      code: 'storage_full',
      message: 'The disk of the database is full; nothing was recorded.',
    })
  expect(log.health()).toEqual({ writable: false, reason: 'the disk of the database is full.' })
  // The other ways to write as well, and reads go on.
  const head = await log.head('g')
  if (head === undefined) throw new Error('There is a graph.')
  await expect(
    log.locked('g', (locked) => locked.append('g', head, [entryAt(head.position + 1, text())])),
  ).rejects.toMatchObject({ code: 'storage_full' })
  // Longer than it takes until health is looked at again, and until idle connections are closed.
  await new Promise((resolve) => setTimeout(resolve, 12_000))
  expect(log.health()).toEqual({ writable: false, reason: 'the disk of the database is full.' })
  const reads = Array.from({ length: 20 }, () => textsOf(log, 'g'))
  for (const texts of await Promise.all(reads)) expect(texts).toHaveLength(written)
  await run('mount', ['-o', 'remount,size=120m', folder])
  await expect.poll(() => log.health()).toEqual({ writable: true })
  await add(log, 'g', text())
  expect(await textsOf(log, 'g')).toHaveLength(written + 1)
  await log.close()
  await database.query('DROP DATABASE filled')
  await database.query('DROP TABLESPACE small')
  await database.drop()
})
