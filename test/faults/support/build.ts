import { execFileSync } from 'node:child_process'
import { isBuilt } from '../../../scripts/build/built.js'
import { ROOT } from '../../../scripts/proof/paths.js'

/** Processes that are killed are the built ones: they start quickly, and are what people run. */
export default function build(): void {
  if (isBuilt()) return
  run('npx', ['tsc', '-p', 'tsconfig.build.json'])
}

export function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' })
}
