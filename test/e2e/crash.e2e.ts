import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { type Program, startProgram } from '../support/program.js'
import { startTestServer } from '../support/server.js'

const root = temporaryFolder()
const services: Program[] = []
afterAll(() => Promise.all(services.map((service) => service.stop('SIGKILL'))))

/** The real program, with something in its process that goes wrong when it is signalled. */
function startFaulty(name: string, fault: string): Program {
  const code = `process.on("SIGUSR2", () => { ${fault} })`
  const service = startProgram(['--port', '0', '--data', join(root, name)], {
    node: [`--import=data:text/javascript,${encodeURIComponent(code)}`],
    env: { LOREGRAPH_LOG_LEVEL: 'error' },
  })
  services.push(service)
  return service
}

describe('E8: crash-only', () => {
  test.each([
    ['an uncaught exception', 'throw new Error("a fault")', 'a fault'],
    ['a promise that nobody handled', 'Promise.reject(new Error("a fault"))', 'a fault'],
    ['a rejection that is no error', 'Promise.reject(7)', '7'],
    ['a stack that overflowed', '(function deeper() { deeper() })()', 'Maximum call stack'],
  ])('E8: %s outside a request ends the process with 1, said in the log', async (name, fault, words) => {
    const service = startFaulty(name, fault)
    const url = await service.url
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    service.child.kill('SIGUSR2')
    expect((await service.ended).code).toBe(1)
    expect(service.stderr.join('\n')).toContain(words)
    await expect(fetch(`${url}/livez`)).rejects.toThrow()
  })

  test('E8: a handler that throws, rejects or overflows the stack is one 500, and the next request is served', async () => {
    const overflow = (): never => overflow()
    let kind = 0
    const server = await startTestServer({
      handlers: {
        listGraphs() {
          kind++
          if (kind === 1) throw new Error('thrown')
          if (kind === 2) return Promise.reject(new Error('rejected'))
          return overflow()
        },
      },
    })
    try {
      for (const _ of ['thrown', 'rejected', 'overflow']) {
        expect((await server.fetch('/v1/graphs')).status).toBe(500)
        expect((await server.fetch('/v1/contexts/none')).status).toBe(404)
      }
    } finally {
      await server.stop()
    }
  })
})

describe('E1: what the probes say', () => {
  test('E1: starting: nobody listens; ready: 200; blocked loop: no answer, then 200 again; draining: alive, not ready', async () => {
    const service = startFaulty('probed', 'const until = Date.now() + 1500; while (Date.now() < until);')
    // Starting: the port is opened last, so whoever asks before cannot get a wrong answer.
    expect(service.stdout).toEqual([])
    const url = await service.url
    const ask = (path: string, ms = 20_000) =>
      fetch(url + path, { signal: AbortSignal.timeout(ms) }).then(
        ({ status }) => status,
        () => 'no answer',
      )
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([200, 200])
    service.child.kill('SIGUSR2')
    await sleep(200)
    expect(await ask('/livez', 500)).toBe('no answer')
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([200, 200])
    service.child.kill('SIGTERM')
    await sleep(200)
    expect([await ask('/livez'), await ask('/readyz')]).toEqual([200, 503])
    expect((await service.ended).code).toBe(0)
  })
})
