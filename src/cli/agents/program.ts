import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Environment } from '../../config/database.js'
import { Stop } from '../output/exits.js'

const MAX_MS = 20_000
/** Folders that npm puts into the PATH of what it runs, and of nothing else. */
const OF_NPM = /_npx|node_modules[\\/]\.bin/

/** `loregraph` if a shell would find it; otherwise `own`, the command line of this build. */
export async function programIn(env: Environment, own: readonly string[]): Promise<readonly string[]> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '' || OF_NPM.test(folder)) continue
    const found = access(join(folder, 'loregraph'), constants.X_OK).then(() => true)
    if (await found.catch(() => false)) return ['loregraph']
  }
  // Slashes are understood everywhere, and need no escape in any shell.
  return own.map((word) => word.replaceAll('\\', '/'))
}

/** Runs it once, as a host would. Throws a `Stop` if it is not ours, or does not run. */
export async function tryProgram(program: readonly string[], env: Environment): Promise<void> {
  const [command = '', ...first] = program
  const line = [...program, '--version'].join(' ')
  const { stdout } = await promisify(execFile)(command, [...first, '--version'], {
    env: { ...env },
    timeout: MAX_MS,
  }).catch((error: Error) => {
    const [why] = error.message.split('\n')
    throw new Stop('config', `A host could not run Loregraph: ${why}. Nothing was changed.`, { cause: error })
  })
  if (!/^loregraph \d/.test(stdout))
    throw new Stop('config', `"${line}" runs something else than Loregraph. Nothing was changed.`)
}
