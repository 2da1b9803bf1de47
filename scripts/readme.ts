/** Runs the README: `npm run readme` writes what its commands print into it, `--check` fails when that has changed. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runReadme, settled } from './readme/run.js'

const README = fileURLToPath(new URL('../README.md', import.meta.url))
const before = await readFile(README, 'utf8')
const after = await runReadme(before)
if (!process.argv.includes('--check')) await writeFile(README, after)
else if (settled(after) !== settled(before)) {
  console.error(
    'The README shows what its commands no longer print. Run `npm run readme` and look at the difference.',
  )
  process.exitCode = 1
} else console.log('The README shows what its commands print.')
