import { expect, test } from 'vitest'
import { Behind, Diverged } from '../../../src/log/graph-log.js'
import { Database } from '../../../src/log/postgres/database.js'
import { beginImport } from '../../../src/log/postgres/import.js'
import { describePostgres } from '../../support/postgres.js'
import { SILENT } from '../../support/silent.js'
import { add, entriesOf, entryAt, erasedAt, idAt, openLog, textsOf, useLog } from './support.js'

describePostgres('D23: a log in PostgreSQL', () => {
  const bench = useLog()

  test('an import that was published stays, though its process never learned of the COMMIT', async () => {
    const database = new Database({ url: bench.database.url, log: SILENT })
    const staged = await beginImport(database, 'published', 'append-1')
    await staged.add([entryAt(1, 'one', 'two')])
    await staged.flush()
    await database.transaction((queries) => staged.publish(queries, undefined), { verb: 'imported' })
    await staged.discard()
    expect(await textsOf(bench.log, 'published')).toEqual(['one', 'two'])
    const dropped = await beginImport(database, 'dropped', 'append-2')
    await dropped.add([entryAt(1, 'one')])
    await dropped.flush()
    await dropped.discard()
    expect(await bench.database.query(`SELECT 1 FROM entries WHERE graph_id = 'dropped'`)).toEqual([])
    for (const one of [staged, dropped]) one.close()
    await database.close()
  })

  test('pages of any size: short entries by the thousand, and longer ones than a page', async () => {
    let head = await bench.log.append(
      'pages',
      undefined,
      Array.from({ length: 2500 }, (_, i) => entryAt(i + 1, 'short \u0000 \ud800 line\nbreak')),
    )
    const after = head
    for (let i = 0; i < 3; i++)
      head = await bench.log.append('pages', head, [entryAt(head.position + 1, 'long '.repeat(100_000))])
    let pages = 0
    let position = 0
    for await (const entries of bench.log.read('pages', undefined)) {
      pages++
      for (const entry of entries) expect(entry.position).toBe(++position)
    }
    expect(position).toBe(2503)
    expect(pages).toBeGreaterThan(4)
    expect(await textsOf(bench.log, 'pages', after)).toHaveLength(3)
    expect((await textsOf(bench.log, 'pages'))[7]).toBe('short \u0000 \ud800 line\nbreak')
    expect(head.bytes).toBeGreaterThan(1_500_000)
  })

  test('an erasure ends readings that began before it', async () => {
    const long = 'x'.repeat(300_000)
    const head = await bench.log.append(
      'reading',
      undefined,
      [1, 2, 3].map((i) => entryAt(i, `${long}${i}`)),
    )
    const reading = bench.log.read('reading', undefined)[Symbol.asyncIterator]()
    expect((await reading.next()).value).toHaveLength(1)
    await bench.log.erase('reading', head, {
      changed: [{ ...entryAt(3, ''), records: [] }],
      erased: erasedAt(4, [3, 3]),
      memoryIds: new Set([idAt(3)]),
    })
    await expect(reading.next()).rejects.toThrow(Diverged)
    expect(await textsOf(bench.log, 'reading')).toHaveLength(2)
    expect(await bench.log.head('reading')).toMatchObject({ position: 4, erasedAt: 4 })
    const { bytes } = (await bench.log.head('reading')) ?? { bytes: 0 }
    expect(bytes).toBeGreaterThan(600_000)
    expect(bytes).toBeLessThan(700_000)
  })

  test('locked: what is appended is durable, though the work fails afterwards', async () => {
    const head = await add(bench.log, 'locked', 'one')
    await expect(
      bench.log.locked('locked', async (log) => {
        await log.append('locked', head, [entryAt(2, 'two')])
        throw new Error('Afterwards.')
      }),
    ).rejects.toThrow('Afterwards.')
    expect(await textsOf(bench.log, 'locked')).toEqual(['one', 'two'])
  })

  test('a replacement is seen whole or not at all, and what a crashed one left goes', async () => {
    const first = await add(bench.log, 'replaced', 'old')
    const staged = () =>
      bench.database.query(`SELECT count(*)::int AS rows FROM entries WHERE graph_id = 'replaced'`)
    async function* broken() {
      yield Array.from({ length: 2000 }, (_, i) => entryAt(i + 1, 'x'.repeat(500)))
      expect((await staged())[0]?.['rows']).toBeGreaterThan(500)
      expect(await textsOf(bench.log, 'replaced')).toEqual(['old'])
      throw new Error('The end is missing.')
    }
    await expect(bench.log.replace('replaced', first, broken())).rejects.toThrow('The end is missing.')
    expect(await staged()).toEqual([{ rows: 1 }])
    async function* whole() {
      yield [entryAt(1, 'new'), entryAt(2, 'newer')]
    }
    await expect(bench.log.replace('replaced', undefined, whole())).rejects.toThrow(Behind)
    const head = await bench.log.replace('replaced', first, whole())
    expect(head.epoch).not.toBe(first.epoch)
    expect(await textsOf(bench.log, 'replaced')).toEqual(['new', 'newer'])
    await expect(entriesOf(bench.log, 'replaced', first)).rejects.toThrow(Diverged)
    expect(await staged()).toEqual([{ rows: 2 }])
    await bench.database.query(`INSERT INTO settings VALUES ('import:4711:replaced', '1000');
      INSERT INTO entries VALUES ('replaced', 4711, 1, 1, 'x', '{}')`)
    const other = await openLog(bench.database.url)
    await expect.poll(staged).toEqual([{ rows: 2 }])
    await other.remove('replaced', head)
    expect(await staged()).toEqual([{ rows: 0 }])
    expect(await bench.log.head('replaced')).toBeUndefined()
    await other.close()
  })

  test('a graph that a newer version wrote to is not read', async () => {
    const head = await add(bench.log, 'newer', 'one')
    await bench.database.query(`UPDATE graphs SET min_version = 1000 WHERE graph_id = 'newer'`)
    await expect(entriesOf(bench.log, 'newer', head)).rejects.toThrow(/newer version/)
    await bench.database.query(`UPDATE graphs SET min_version = 1 WHERE graph_id = 'newer';
      UPDATE entries SET entry = '{"records":[{"op":"imagined","seq":1}]}' WHERE graph_id = 'newer'`)
    await expect(entriesOf(bench.log, 'newer')).rejects.toThrow(/newer version/)
  })

  test('heads that are asked for during a query come from one that began after they were asked for', async () => {
    await add(bench.log, 'asked', 'one')
    const early = bench.log.head('asked')
    await new Promise((resolve) => setImmediate(resolve))
    const written = await add(await openLogOf(), 'asked', 'two')
    const late = [
      bench.log.head('asked'),
      bench.log.head('both'),
      bench.log.heads(['asked', 'nowhere']),
    ] as const
    expect((await early)?.position).toBeLessThanOrEqual(2)
    expect(await late[0]).toEqual(written)
    expect([...(await late[2]).keys()]).toEqual(['asked'])
  })

  let another: Promise<Awaited<ReturnType<typeof openLog>>> | undefined
  function openLogOf() {
    another ??= openLog(bench.database.url)
    return another
  }
})
