import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { command } from '../support/command.js'
import { temporaryFolder } from '../support/folder.js'
import { type Program, startProgram } from '../support/program.js'

// Each test starts several processes, which take their time where others are busy too.
vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'a-secret-of-more-than-32-characters'
const CREATE = ['key', 'create', '--name', 'support agent', '--scope', 'read', '--scope', 'write']
const root = temporaryFolder()
const data = join(root, 'data')
let service: Program
let url: string

async function start(): Promise<void> {
  service = startProgram(['--port', '0', '--data', data], { env: { LOREGRAPH_SECRET: SECRET } })
  url = await service.url
}

beforeAll(start)
afterAll(() => service.stop())

const online = (...args: string[]) => command(args, { env: { LOREGRAPH_URL: url, LOREGRAPH_SECRET: SECRET } })
const offline = (...args: string[]) => command(args, { env: { LOREGRAPH_DATA: data } })

function record(secret: string, graph: string): Promise<Response> {
  return fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ graph_id: graph, event_kind: 'fact', payload: { data: 'it runs' } }),
  })
}

describe('keys of a running service', () => {
  test('the secret alone on stdout; it works where it may, until it is revoked', async () => {
    const made = await online(...CREATE, '--graph', 'support', '--expires', '90d')
    expect(made.code).toBe(0)
    expect(made.stdout).toMatch(/^lore_[A-Za-z0-9_-]{48}\n$/)
    expect(made.stderr).toMatch(
      /^key_\w{26}: "support agent" may read and write support, until \d{4}-.*Z\.\nThe secret, shown this once:\n$/,
    )
    const secret = made.stdout.trim()
    const [keyId = ''] = /key_\w+/.exec(made.stderr) ?? []
    expect((await record(secret, 'support')).status).toBe(201)
    expect((await record(secret, 'other')).status).toBe(403)

    const listed = await online('key', 'list')
    expect(listed.stdout).toContain(`${keyId}  "support agent" may read and write support, until `)
    expect(listed.stdout).not.toContain(secret)

    expect(await online('key', 'revoke', keyId)).toEqual({
      code: 0,
      stdout: `${keyId} was revoked.\n`,
      stderr: '',
    })
    expect((await record(secret, 'support')).status).toBe(401)
    const file = join(root, 'revoked')
    await writeFile(file, made.stdout)
    const refused = await command(['insight', 'support', 'x', '--url', url, '--secret-file', file])
    expect(refused.code).toBe(77)
    expect((await online('key', 'revoke', keyId)).code).toBe(66)
  })

  test('--json for scripts', async () => {
    const { stdout, stderr } = await online(...CREATE, '--json')
    const key = JSON.parse(stdout)
    expect(stderr).toBe('')
    expect(key).toEqual({
      key_id: expect.stringMatching(/^key_/),
      secret: expect.stringMatching(/^lore_/),
      name: 'support agent',
      scopes: ['read', 'write'],
      created_by: 'root',
      created_at: expect.any(String),
    })
    const { secret: _, ...shown } = key
    expect(JSON.parse((await online('key', 'list', '--json')).stdout).keys).toContainEqual(shown)
    const revoked = await online('key', 'revoke', key.key_id, '--json')
    expect(JSON.parse(revoked.stdout)).toEqual({ key_id: key.key_id, revoked: true })
  })

  test('--with-descendants: the keys that a leaked key made go with it', async () => {
    const as = (secret: string, ...args: string[]) =>
      command(args, { env: { LOREGRAPH_URL: url, LOREGRAPH_SECRET: secret.trim() } })
    const leaked = await online('key', 'create', '--name', 'leaked', '--scope', 'admin')
    const child = await as(leaked.stdout, 'key', 'create', '--name', 'child', '--scope', 'admin')
    const [leakedId = ''] = /key_\w+/.exec(leaked.stderr) ?? []
    expect(child.stderr).toContain(`made with ${leakedId}.`)
    expect((await online('key', 'revoke', leakedId)).code).toBe(0)
    expect((await as(child.stdout, 'key', 'list')).code).toBe(0)
    expect(await online('key', 'revoke', leakedId, '--with-descendants')).toMatchObject({
      code: 0,
      stdout: `${leakedId} was revoked, with every key that was made with it.\n`,
    })
    expect((await as(child.stdout, 'key', 'list')).code).toBe(77)
  })

  test('77: a key makes none that can do more than it can', async () => {
    const admin = await online('key', 'create', '--name', 'a', '--scope', 'admin', '--graph', 'support')
    const env = { LOREGRAPH_URL: url, LOREGRAPH_SECRET: admin.stdout.trim() }
    const { code, stdout, stderr } = await command([...CREATE, '--graph', 'support'], { env })
    expect([code, stdout]).toEqual([77, ''])
    expect(stderr).toContain('must hold only scopes of your own key')
  })
})

describe('keys in the data folder', () => {
  test('made while the service is down, in force when it is up, gone when revoked', async () => {
    await service.stop()
    const made = await offline(...CREATE, '--graph', 'support')
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^lore_[A-Za-z0-9_-]{48}\n$/) })
    const secret = made.stdout.trim()
    const [keyId = ''] = /key_\w+/.exec(made.stderr) ?? []
    const listed = await offline('key', 'list')
    expect(listed.stdout).toContain(keyId)
    await start()
    expect([200, 201]).toContain((await record(secret, 'support')).status)
    await service.stop()
    expect((await offline('key', 'revoke', keyId)).code).toBe(0)
    expect((await offline('key', 'revoke', keyId)).code).toBe(66)
    expect((await offline('key', 'list')).stdout).not.toContain(keyId)
    await start()
    expect((await record(secret, 'support')).status).toBe(401)
    for (const entry of await readdir(data, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toContain(secret)
  })
})
