import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { type Program, startProgram } from '../support/program.js'

const REQUESTS = 2_000
const AT_ONCE = 20
const PROBE_MS = 2_000
/** The service stops within these seconds when nothing is under way. */
const STOP_SECONDS = 3
const SECRET = 'a-secret-of-more-than-32-characters'

const root = temporaryFolder()
const services: Program[] = []
afterAll(() => Promise.all(services.map((service) => service.stop('SIGKILL'))))

/** A service whose stderr is what the shell makes of `redirection`. */
function start(name: string, redirection: string, node: readonly string[] = []): Program {
  const service = startProgram(['serve', '--port', '0', '--data', join(root, name)], {
    env: {
      LOREGRAPH_SECRET: SECRET,
      LOREGRAPH_RATE_LIMIT: 'off',
      LOREGRAPH_STOP_SECONDS: String(STOP_SECONDS),
    },
    node,
    wrapper: ['sh', '-c', `exec "$@" ${redirection}`, 'sh'],
  })
  services.push(service)
  return service
}

async function ask(url: string): Promise<void> {
  let asked = 0
  const worker = async () => {
    while (asked++ < REQUESTS) {
      const answer = await fetch(`${url}/v1/contexts/nothing`, {
        headers: { Authorization: `Bearer ${SECRET}` },
        signal: AbortSignal.timeout(30_000),
      })
      expect(answer.status).toBe(404)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** `/livez` and `/readyz` while it is asked. */
async function probe(url: string, asking: Promise<void>): Promise<void> {
  let isOver = false
  const over = asking.finally(() => {
    isOver = true
  })
  do
    for (const path of ['/livez', '/readyz']) {
      const answer = await fetch(url + path, { signal: AbortSignal.timeout(PROBE_MS) })
      expect(answer.status, path).toBe(200)
    }
  while (!isOver && (await sleep(50, true)))
  await over
}

async function droppedLines(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^loregraph_log_dropped_lines_total (\d+)$/m.exec(metrics)?.[1])
}

async function expectUnmoved(service: Program): Promise<number> {
  const url = await service.url
  await probe(url, ask(url))
  // What was gathered last is written within a moment.
  await sleep(500)
  const dropped = await droppedLines(url)
  const asked = performance.now()
  const { code } = await service.stop()
  expect(code).toBe(0)
  expect(performance.now() - asked).toBeLessThan((STOP_SECONDS + 5) * 1000)
  return dropped
}

function pipe(name: string): string {
  const path = join(root, name)
  execFileSync('mkfifo', [path])
  return path
}

describe('E12: the service does not depend on its log', () => {
  test('a log on a full device: every request is answered, SIGTERM ends it, lines are counted', async () => {
    expect(await expectUnmoved(start('full', '2>/dev/full'))).toBeGreaterThan(REQUESTS)
  })

  test('a log whose reader does not read: the same', async () => {
    const path = pipe('stuck.pipe')
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const service = start('stuck', `2>${path}`)
    await service.url
    // What one request logs, two thousand times, is more than a pipe holds; see log-writer.test.ts for the bound.
    await expectUnmoved(service)
    closeSync(reader)
  })

  test('a log whose reader is gone: the same', async () => {
    const path = pipe('gone.pipe')
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const service = start('gone', `2>${path}`)
    await service.url
    closeSync(reader)
    expect(await expectUnmoved(service)).toBeGreaterThan(REQUESTS)
  })

  test('no stderr at all: the same', async () => {
    await expectUnmoved(start('closed', '2>&-'))
  })

  test('a disk that is full for a while: what was logged before and after is there, a line each', async () => {
    const file = join(root, 'service.log')
    writeFileSync(file, '')
    const service = start('disk', `2>>${file}`)
    const url = await service.url
    // The file may not grow beyond this: it is as if its disk were full until it is cut.
    execFileSync('prlimit', ['--pid', String(service.child.pid), `--fsize=${64 * 1024}`])
    await ask(url)
    expect(statSync(file).size).toBe(64 * 1024)
    writeFileSync(file, '')
    await fetch(`${url}/v1/contexts/afterwards`)
    await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/^\n?\{/)
    expect(await droppedLines(url)).toBeGreaterThan(100)
    const { code } = await service.stop()
    expect(code).toBe(0)
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  test.each([
    ['full', () => '/dev/full'],
    ['stuck', () => pipe('crash.pipe')],
  ])('an uncaught exception ends it with 1 though the log is %s', async (name, log) => {
    const path = log()
    const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    const throwing = 'process.on("SIGUSR2", () => { throw new Error("on purpose") })'
    const service = start(`crash-${name}`, `2>${path}`, ['--import', `data:text/javascript,${throwing}`])
    const url = await service.url
    if (name === 'stuck') writeUntilFull(reader)
    await fetch(`${url}/livez`)
    const sent = performance.now()
    const { code } = await service.stop('SIGUSR2')
    expect(code).toBe(1)
    expect(performance.now() - sent).toBeLessThan(5_000)
    closeSync(reader)
  })
})

function writeUntilFull(pipe: number): void {
  try {
    for (;;) writeSync(pipe, 'x'.repeat(4096))
  } catch {
    // It is.
  }
}
