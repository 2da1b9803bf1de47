import { existsSync } from 'node:fs'
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
