import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export interface Service {
  readonly url: string
  readonly secret: string
  stop(): Promise<void>
}

/** `npm start -- --demo` as a newcomer has it: an empty folder, no settings but a free port. */
export async function startService(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-readme-'))
  const child = spawn(process.execPath, [MAIN, 'serve', '--demo', '--port', '0', '--data', folder], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  child.stderr.on('data', (chunk) => {
    printed.stderr += chunk
  })
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed.stdout += chunk
      if (printed.stdout.includes('loregraph listening on ')) resolve()
    })
    child.once('exit', () => reject(new Error(`The service did not start: ${printed.stderr}`)))
  })
  await ready
  const url = /^loregraph listening on (.+)$/m.exec(printed.stdout)?.[1] ?? ''
  const secret = /lore_[\w-]+/.exec(printed.stdout)?.[0] ?? ''
  return {
    url,
    secret,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
