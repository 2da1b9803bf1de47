import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE } from '../../scripts/proof/paths.js'
import { mustRun } from '../../scripts/proof/run.js'
import type { RealHost } from './hosts.js'

/** The folder with the command of a host, which is fetched once for each version. */
export async function installed(host: RealHost): Promise<string> {
  const folder = join(CACHE, 'hosts', `${host.name}-${host.version}`)
  const done = join(folder, 'installed')
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    // Some fetch their program after the package, in a script that npm runs only if it is allowed.
    const allowed = { private: true, allowScripts: { [host.package]: true } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(allowed))
    const options = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline']
    await mustRun('npm', ['install', ...options, `${host.package}@${host.version}`], { cwd: folder })
    writeFileSync(done, '')
  }
  return join(folder, 'node_modules/.bin')
}
