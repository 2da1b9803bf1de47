/** Builds unless `dist` is what a build would make: `npm test` needs the build, and seldom a new one. `--note` only notes that it was made. */
import { execFileSync } from 'node:child_process'
import { isBuilt, noteBuild } from './build/built.js'
import { ROOT } from './proof/paths.js'

if (process.argv.includes('--note')) noteBuild()
else if (!isBuilt()) execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'inherit' })
