import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from './paths.js'

const MAIN = join(ROOT, 'dist/main.js')
const SECRET = 'a-secret-for-one-run-of-the-contract-tests'

export interface Service {
  readonly url: string
  readonly secret: string
  stop(): Promise<void>
}

/** The built service with the graph `demo`, on a free port and an empty folder that goes with it, without rate limits. */
export async function startService(): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-proof-'))
  const child = spawn(process.execPath, [MAIN, 'serve', '--demo', '--port', '0', '--data', folder], {
    env: {
      PATH: process.env['PATH'],
      LOREGRAPH_SECRET: SECRET,
      LOREGRAPH_LOG_LEVEL: 'error',
      // Whoever fuzzes asks too often, and with wrong secrets.
      LOREGRAPH_RATE_LIMIT: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    url: await listening(child.stdout),
    secret: SECRET,
    async stop() {
      const { exitCode, signalCode } = child
      if (exitCode === null && signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
      if (child.exitCode !== 0)
        throw new Error(`The service ended with ${child.exitCode ?? child.signalCode}.`)
    },
  }
}

async function listening(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^loregraph listening on (.+)$/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The service did not start. Is it built? Run `npm run build`.')
}
