import { execFileSync } from 'node:child_process'
import { isBuilt } from '../../../scripts/build/built.js'
import { ROOT } from '../../../scripts/proof/paths.js'

/** Processes that are killed are the built ones: they start quickly, and are what people run. */
export default function build(): void {
  if (isBuilt()) return
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' })
}
