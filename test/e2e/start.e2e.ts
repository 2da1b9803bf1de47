import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { type Program, ROOT, startProgram } from '../support/program.js'

let folder = ''
let service: Program
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => service.stop())

/** What `npm start` runs, with nothing in the environment but what a shell needs. */
async function start(): Promise<{ url: string; stdout: string }> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const command = scripts.start.split(' ')
  service = startProgram(['--port', '0', '--data', join(folder, 'data')], { command, cwd: ROOT })
  return { url: await service.url, stdout: service.stdout.join('\n') }
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
    expect((await service.stop()).code).toBe(0)

    const second = await start()
    expect(secretIn(second.stdout)).toBeUndefined()
    expect((await record(second.url, secret)).status).toBe(200)
    expect((await record(second.url, `${secret}x`)).status).toBe(401)
  })

  test('prints where the explorer and the documentation are, and both are there', async () => {
    const { stdout } = await start()
    for (const name of ['Explorer', 'Documentation']) {
      const address = new RegExp(`^${name} +(\\S+)$`, 'm').exec(stdout)?.[1] ?? ''
      const response = await fetch(address)
      expect([name, response.status]).toEqual([name, 200])
      expect(await response.text()).toContain('<title>Loregraph')
    }
  })
})
