import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { command } from '../support/command.js'
import { temporaryFolder } from '../support/folder.js'
import { createDatabase, describePostgres, type TestDatabase } from '../support/postgres.js'
import { startProgram } from '../support/program.js'

describePostgres('the program on PostgreSQL', () => {
  let database: TestDatabase
  const folder = temporaryFolder()
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  test('a graph moves from a folder to a database and back, event for event', async () => {
    const files = { LOREGRAPH_DATA: join(folder, 'data') }
    const tables = { DATABASE_URL: database.url }
    expect((await command(['demo'], { env: files })).code).toBe(0)
    const first = await command(['export', 'demo'], { env: files })
    const moved = await command(['import', 'moved'], { env: tables, input: first.stdout })
    expect([moved.code, moved.stderr]).toEqual([0, expect.anything()])
    const second = await command(['export', 'moved'], { env: tables })
    expect((await command(['import', 'back'], { env: files, input: second.stdout })).code).toBe(0)
    const third = await command(['export', 'back'], { env: files })
    // The first line says when and of which graph; the last one has the hash of all between.
    const events = (text: string) => text.slice(text.indexOf('\n'))
    expect(events(first.stdout).length).toBeGreaterThan(1000)
    expect(events(second.stdout)).toBe(events(first.stdout))
    expect(events(third.stdout)).toBe(events(first.stdout))
    const answer = (graph: string, env: Readonly<Record<string, string>>) =>
      // Until all memories are read for meaning, which takes a busy machine longer than a question waits.
      vi.waitFor(async () => {
        const asked = await command(['insight', graph, 'Which test runner do we use?', '--explain'], { env })
        expect(asked).toMatchObject({ code: 0, stderr: '' })
        return asked.stdout
      }, 60_000)
    const [inTables, inFiles] = await Promise.all([answer('moved', tables), answer('back', files)])
    expect(inTables).toBe(inFiles)
  }, 120_000)

  test('serves from the database, shows the secret that it made once, and needs no folder', async () => {
    const env = { DATABASE_URL: database.url, LOREGRAPH_PORT: '0' }
    const service = startProgram(['serve', '--data', join(folder, 'unused')], { env })
    onTestFinished(() => void service.stop('SIGKILL'))
    const url = await service.url
    const secret = /lore_\S+/.exec(service.stdout.join('\n'))?.[0] ?? ''
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ graph_id: 'g', event_kind: 'fact', payload: { data: 'in a table' } })
    expect((await fetch(`${url}/v1/events`, { method: 'POST', headers, body })).status).toBe(201)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await readdir(folder)).not.toContain('unused')
    const again = startProgram(['serve'], { env })
    onTestFinished(() => void again.stop('SIGKILL'))
    const read = await fetch(`${await again.url}/v1/contexts/g/fact`, { headers })
    expect(await read.json()).toMatchObject({ total: 1 })
    expect(again.stdout.join('\n')).not.toContain('lore_')
    for (const program of [service, again]) {
      expect((await program.stop()).code).toBe(0)
    }
  }, 120_000)

  test('a database behind a socket is found, as libpq finds it', async () => {
    const [row] = await database.query(
      `SELECT current_user AS name, current_database() AS db, current_setting('port') AS port,
        current_setting('unix_socket_directories') AS folder`,
    )
    const socket = `postgres://${row?.['name']}@/${row?.['db']}?host=${row?.['folder']}&port=${row?.['port']}`
    const { code, stdout, stderr } = await command(['demo'], { env: { DATABASE_URL: socket } })
    expect([code, stderr, stdout]).toEqual([0, expect.anything(), expect.anything()])
    expect(await database.query(`SELECT graph_id FROM graphs WHERE graph_id = 'demo'`)).toHaveLength(1)
  }, 120_000)

  test('a warning of a library is a line of the log like any other', async () => {
    const env = { DATABASE_URL: `${database.url}?sslmode=require` }
    const { code, stderr } = await command(['serve'], { env })
    const lines = stderr.trim().split('\n')
    expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'Warning.' }),
    )
    // The last word, when it cannot start, is for people.
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
      expect.stringMatching(/cannot be used: .*SSL/),
    ])
    expect(code).toBe(78)
  }, 120_000)

  test('75: a database that cannot be reached is said in a sentence, without the password', async () => {
    const env = { DATABASE_URL: 'postgres://someone:geheim@127.0.0.1:1/x' }
    const { code, stderr } = await command(['serve'], { env })
    expect(stderr).toMatch(/^The database of DATABASE_URL cannot be used: .*ECONNREFUSED.*\.$/m)
    expect(stderr).not.toContain('geheim')
    expect(code).toBe(75)
  })
})
