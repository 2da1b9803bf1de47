import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE } from './paths.js'
import { hasCommand, mustRun } from './run.js'

/** A virtual environment with exactly these packages, made on first use; gives the folder of its commands. */
export async function pythonWith(packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, `python-${packages.join('-').replaceAll('==', '-')}`)
  const bin = join(folder, 'bin')
  // Written last, so that an installation that was broken off is done again.
  const done = join(folder, 'done')
  if (existsSync(done)) return bin
  await rm(folder, { recursive: true, force: true })
  await mustRun('python3', ['-m', 'venv', folder])
  await mustRun(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages])
  await mustRun(join(bin, 'python'), ['-c', 'import sys; open(sys.argv[1], "w").close()', done])
  return bin
}

/** Debian has `python3` without `ensurepip` unless python3-venv is installed. */
export async function canMakeEnvironments(): Promise<boolean> {
  if (!(await hasCommand('python3'))) return false
  try {
    await mustRun('python3', ['-c', 'import venv, ensurepip'])
    return true
  } catch {
    return false
  }
}
