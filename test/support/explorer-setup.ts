import { isBuilt } from '../../scripts/build/built.js'
import { run } from '../faults/support/build.js'

/** The page as it is shipped, made from the sources as they are. */
export default function buildExplorer(): void {
  if (isBuilt()) return
  run('npm', ['run', '--silent', 'build:explorer'])
}
