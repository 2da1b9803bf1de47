import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE } from './paths.js'
import { mustRun } from './run.js'

/** A Go program, built from the module proxy on first use; gives its path. `module` is like `example.com/tool@v1.2.3`. */
export async function goProgram(module: string): Promise<string> {
  const [path = '', version = ''] = module.split('@')
  const folder = join(CACHE, 'go', version)
  const program = join(folder, path.split('/').at(-1) ?? '')
  if (!existsSync(program)) await mustRun('go', ['install', module], { env: { GOBIN: folder, GOFLAGS: '' } })
  return program
}

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
