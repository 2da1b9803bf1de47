import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from '../../test/support/program.js'

export interface Service {
  readonly url: string
  readonly secret: string
  stop(): Promise<void>
}

/** For those who ask too often, and with wrong secrets. */
export const UNLIMITED = { LOREGRAPH_LOG_LEVEL: 'error', LOREGRAPH_RATE_LIMIT: 'off' }

/**
 * `npm start -- --demo` as a newcomer has it: the build with the graph `demo`, in an empty folder that goes with it, on
 * a free port; the secret is the one that it prints.
 */
export async function startService(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-demo-'))
  const program = startProgram(['serve', '--demo', '--port', '0', '--data', folder], { env, from: 'build' })
  return {
    url: await program.url,
    secret: /lore_[\w-]+/.exec(program.stdout.join('\n'))?.[0] ?? '',
    async stop() {
      const { code } = await program.stop()
      await rm(folder, { recursive: true, force: true })
      if (code !== 0) throw new Error(`The service ended with ${code}: ${program.stderr.join('\n')}`)
    },
  }
}
