import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let folder = ''
let running: ChildProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loregraph-start-'))
})

afterEach(async () => {
  if (running !== undefined && running.exitCode === null) {
    running.kill('SIGTERM')
    await once(running, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

/** What `npm start` runs, with nothing in the environment but what a shell needs. */
async function start(): Promise<{ url: string; stdout: string }> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const [command, ...args] = scripts.start.split(' ')
  const child = spawn(command, [...args, '--port', '0', '--data', join(folder, 'data')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running = child
  let stdout = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const listening = /^loregraph listening on (.+)$/m.exec(stdout)?.[1]
      if (listening !== undefined) resolve(listening)
    })
    child.once('exit', () => reject(new Error(`The service did not start: ${stdout}`)))
  })
  return { url, stdout }
}

async function stop(): Promise<number | null> {
  const child = running
  if (child === undefined) return null
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}

const secretIn = (stdout: string) => /lore_[\w-]+/.exec(stdout)?.[0]

function record(url: string, secret: string): Promise<Response> {
  return fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ graph_id: 'g', event_kind: 'fact', payload: { data: 'it runs' } }),
  })
}

describe('npm start in an empty folder', () => {
  test('prints a secret that works, once, and keeps what was recorded over a restart', async () => {
    const first = await start()
    const secret = secretIn(first.stdout) ?? ''
    expect((await record(first.url, secret)).status).toBe(201)
    expect(await stop()).toBe(0)

    const second = await start()
    expect(secretIn(second.stdout)).toBeUndefined()
    expect((await record(second.url, secret)).status).toBe(200)
    expect((await record(second.url, `${secret}x`)).status).toBe(401)
  })

  test('keeps the secret only as a hash, in files that only their owner can read', async () => {
    const { url, stdout } = await start()
    const secret = secretIn(stdout) ?? ''
    await record(url, secret)
    await stop()
    const entries = await readdir(join(folder, 'data'), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      const path = join(file.parentPath, file.name)
      expect(await readFile(path, 'utf8')).not.toContain(secret)
      expect((await stat(path)).mode & 0o077).toBe(0)
    }
  })
})
