import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { type Program, startProgram } from '../support/program.js'

const root = temporaryFolder()
const services: Program[] = []
afterAll(() => Promise.all(services.map((service) => service.stop('SIGKILL'))))

const SECRET = 'a-secret-of-more-than-32-characters'

function start(env: Record<string, string>, ...args: string[]): Program {
  const service = startProgram(args, { env })
  services.push(service)
  return service
}

describe.concurrent('the process', () => {
  test('C19: a first start prints a secret that works, once; later starts use its hash', async () => {
    const data = join(root, 'first')
    const first = start({}, '--demo', '--port', '0', '--data', data)
    const url = await first.url
    const secret = /lore_[A-Za-z0-9_-]{48}/.exec(first.stdout.join('\n'))?.[0] ?? ''
    expect(secret).not.toBe('')
    expect(first.stdout.at(-1)).toBe(`loregraph listening on ${url}`)
    expect(first.stdout.join('\n')).toContain(`curl -s ${url}/v1/events -H 'Authorization: Bearer ${secret}'`)
    const ask = (at: string) =>
      fetch(`${at}/v1/contexts/demo`, { headers: { Authorization: `Bearer ${secret}` } })
    expect((await ask(url)).status).toBe(200)
    expect((await first.stop()).code).toBe(0)
    const again = start({}, 'serve', '--port', '0', '--data', data)
    expect((await ask(await again.url)).status).toBe(200)
    const at = await again.url
    expect(again.stdout).toEqual([
      `Explorer       ${at}/`,
      `Documentation  ${at}/docs`,
      `loregraph listening on ${at}`,
    ])
    expect((await again.stop('SIGINT')).code).toBe(0)
    const verified = start({ LOREGRAPH_DATA: data }, 'verify')
    expect((await verified.ended).code).toBe(0)
    expect(verified.stdout.join('\n')).toMatch(/^ok +graph demo: /)
    for (const line of first.stderr) expect(() => JSON.parse(line)).not.toThrow()
    expect([...first.stderr, ...again.stderr].join('\n')).not.toContain(secret)
    await expectPrivate(data, secret)
  })

  test('C12: LOREGRAPH_RATE_LIMIT=off leaves wrong secrets limited', async () => {
    const env = { LOREGRAPH_SECRET: SECRET, LOREGRAPH_RATE_LIMIT: 'off' }
    const service = start(env, '--port', '0', '--data', join(root, 'unlimited'))
    const url = await service.url
    const statuses = new Set<number>()
    for (let i = 0; i < 20; i++) {
      const headers = { Authorization: `Bearer wrong-${i}` }
      statuses.add((await fetch(`${url}/v1/graphs`, { headers })).status)
    }
    expect(statuses).toEqual(new Set([401, 429]))
    await service.stop()
  })

  test('E13: a first start on a port that is taken leaves no secret: the next one shows it', async () => {
    const data = join(root, 'taken')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    expect((await start({}, '--port', String(port), '--data', data).ended).code).toBe(75)
    taken.close()
    await expectSecretShown(data)
  })

  test.each([
    ['full', '>/dev/full'],
    ['closed', '>&-'],
  ])(
    'E13: a first start whose stdout is %s serves, and leaves the secret to the next one',
    async (name, to) => {
      const data = join(root, `unseen-${name}`)
      const port = String(await freePort())
      const wrapper = ['sh', '-c', `exec "$@" ${to}`, 'sh']
      const service = startProgram(['serve', '--port', port, '--data', data], { wrapper })
      services.push(service)
      const said = () => service.stderr.join('\n')
      await expect.poll(said).toContain('could not be shown on stdout')
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
      expect((await service.stop()).code).toBe(0)
      await expectSecretShown(data)
    },
  )

  test('E13: killed as soon as there is a secret, it had shown it', async () => {
    const data = join(root, 'killed')
    const service = start({}, 'serve', '--port', '0', '--data', data)
    const file = join(data, 'secret.sha256')
    while ((await stat(file).catch(() => undefined)) === undefined) await sleep(1)
    service.child.kill('SIGKILL')
    await service.ended
    expect(service.stdout.join('\n')).toMatch(/lore_[A-Za-z0-9_-]{48}/)
  })

  test.each<[string, Record<string, string>, string[], string[]]>([
    [
      'a database and an origin',
      { DATABASE_URL: 'mysql://x', LOREGRAPH_CORS_ORIGINS: '*' },
      [],
      ['DATABASE_URL', 'LOREGRAPH_CORS_ORIGINS'],
    ],
    ['a short secret', { LOREGRAPH_SECRET: 'short' }, [], ['LOREGRAPH_SECRET']],
    [
      'flags and settings',
      { LOREGRAPH_METRICS: 'yes', LOREGRAPH_MEANING: 'no', LOREGRAPH_RATE_LIMIT: '1' },
      ['--host', 'a b'],
      ['LOREGRAPH_METRICS', 'LOREGRAPH_MEANING', 'LOREGRAPH_RATE_LIMIT', '--host', 'LOREGRAPH_SECRET'],
    ],
  ])('E3: %s: 78 within seconds, each named, and nobody ever listens', async (_name, env, args, named) => {
    const port = await freePort()
    const data = join(root, `bad-${port}`)
    const service = start(env, '--port', String(port), '--data', data, ...args)
    let ended = false
    const end = service.ended.finally(() => {
      ended = true
    })
    for (; !ended; await sleep(20)) expect(await isListening(port)).toBe(false)
    const { code, ms } = await end
    expect(code).toBe(78)
    expect(ms).toBeLessThan(5_000)
    const listed = service.stderr.filter((line) => line.startsWith('  - '))
    expect(listed).toHaveLength(named.length)
    for (const name of named) expect(listed.join('\n')).toContain(name)
    await expect(stat(data)).rejects.toThrow('ENOENT')
  })

  test('a data folder that is a file: a sentence, and 78', async () => {
    const file = join(root, 'file')
    await writeFile(file, '')
    const service = start({}, '--port', '0', '--data', file)
    expect((await service.ended).code).toBe(78)
    expect(service.stderr.at(-1)).toMatch(
      /^The data folder cannot be used: .* Choose another with --data\. \(\w+\)$/,
    )
  })

  test('a data folder or port that another process has: 75, and the other goes on, until a second signal', async () => {
    const data = join(root, 'shared')
    const one = start({ LOREGRAPH_SECRET: SECRET }, '--port', '0', '--data', data)
    await one.url
    const two = start({ LOREGRAPH_SECRET: SECRET }, '--port', '0', '--data', data)
    expect((await two.ended).code).toBe(75)
    expect(two.stderr.join('\n')).toContain(
      `Another Loregraph (process ${one.child.pid}) is using this data folder`,
    )
    expect((await fetch(`${await one.url}/readyz`)).status).toBe(200)
    const { port } = new URL(await one.url)
    const three = start({ LOREGRAPH_SECRET: SECRET }, '--port', port, '--data', join(root, 'other'))
    expect((await three.ended).code).toBe(75)
    expect(three.stderr.join('\n')).toContain('EADDRINUSE')
    // E2: a request that has begun gives the first signal something to wait for; the second does not wait.
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n')
    await sleep(200)
    one.child.kill('SIGTERM')
    await sleep(1_500)
    expect(one.child.exitCode).toBeNull()
    one.child.kill('SIGTERM')
    expect((await one.ended).code).toBe(1)
  })
})

test('E1, E2: SIGTERM under load loses nothing that was acknowledged, resets nobody, and ends with 0', async () => {
  const data = join(root, 'drained')
  const service = start(
    { LOREGRAPH_SECRET: SECRET, LOREGRAPH_LOG_LEVEL: 'warn' },
    '--port',
    '0',
    '--data',
    data,
  )
  const url = await service.url
  const idle = connect(Number(new URL(url).port), '127.0.0.1')
  idle.on('error', () => {})
  const writers = Array.from({ length: 8 }, (_, i) => writeUntilRefused(url, `w${i}`))
  await sleep(1_000)
  const asked = performance.now()
  service.child.kill('SIGTERM')
  await sleep(300)
  // E1: draining is seen by whoever asks, while it still serves.
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  const results = await Promise.all(writers)
  expect((await service.ended).code).toBe(0)
  expect(performance.now() - asked).toBeLessThan(6_000)
  expect(results.map(({ end }) => end)).toEqual(results.map(() => 'ECONNREFUSED'))
  const again = start({ LOREGRAPH_SECRET: SECRET }, '--port', '0', '--data', data)
  const after = await again.url
  for (const id of results.flatMap(({ acknowledged }) => acknowledged)) {
    const answer = await fetch(`${after}/v1/memories/load/${id}`, {
      headers: { Authorization: `Bearer ${SECRET}` },
    })
    expect(answer.status).toBe(200)
  }
  await again.stop()
})

test('E2: what is under way gets the seconds that are set, and then 503', async () => {
  const env = { LOREGRAPH_SECRET: SECRET, LOREGRAPH_STOP_SECONDS: '3' }
  const service = start(env, '--port', '0', '--data', join(root, 'stopped'))
  const url = await service.url
  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/x-ndjson' }
  const upload = request(`${url}/v1/graphs/slow/events`, { method: 'POST', headers })
  const answered = once(upload, 'response')
  const dripping = setInterval(() => upload.write(' '), 100)
  await sleep(500)
  const asked = performance.now()
  service.child.kill('SIGTERM')
  const [answer] = await answered
  clearInterval(dripping)
  upload.on('error', () => {}).destroy()
  expect(answer.statusCode).toBe(503)
  expect(performance.now() - asked).toBeGreaterThan(2_500)
  expect((await service.ended).code).toBe(0)
  expect(performance.now() - asked).toBeLessThan(6_000)
})

/** A start in this folder shows a secret, and it works. */
async function expectSecretShown(data: string): Promise<void> {
  const service = start({}, '--port', '0', '--data', data)
  const url = await service.url
  const secret = /lore_[A-Za-z0-9_-]{48}/.exec(service.stdout.join('\n'))?.[0] ?? ''
  const { status } = await fetch(`${url}/v1/graphs`, { headers: { Authorization: `Bearer ${secret}` } })
  expect(status).toBe(200)
  await service.stop()
}

/** Writes one event after the other over one kept connection, until the service no longer takes them. */
async function writeUntilRefused(url: string, writer: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const acknowledged: string[] = []
  for (let i = 0; ; i++) {
    try {
      const { status, body } = await post(url, agent, { writer, i })
      if (status !== 201) return { acknowledged, end: String(status) }
      acknowledged.push(JSON.parse(body).event_id)
    } catch (error) {
      agent.destroy()
      return { acknowledged, end: (error as NodeJS.ErrnoException).code }
    }
  }
}

function post(url: string, agent: Agent, payload: object): Promise<{ status: number; body: string }> {
  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/events`, { agent, method: 'POST', headers }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, body })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ graph_id: 'load', event_kind: 'fact', payload }))
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a server that listens on a port is never a string.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** C10: nothing in the folder holds the secret, and nobody else may read any of it. */
async function expectPrivate(folder: string, secret: string): Promise<void> {
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    expect((await stat(file)).mode & 0o077, file).toBe(0)
    expect(await readFile(file, 'utf8')).not.toContain(secret)
  }
}
