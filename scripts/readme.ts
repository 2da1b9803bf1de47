/** Runs the README and the pages of docs: `npm run readme` writes what their commands print into them, `--check` fails when that has changed. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PAGES } from './readme/pages.js'
import { runReadme, settled } from './readme/run.js'

for (const page of PAGES) {
  const file = fileURLToPath(new URL(`../${page}`, import.meta.url))
  const before = await readFile(file, 'utf8')
  const after = await runReadme(before)
  if (!process.argv.includes('--check')) await writeFile(file, after)
  else if (settled(after) !== settled(before)) {
    console.error(
      `${page} shows what its commands no longer print. Run \`npm run readme\` and look at the difference.`,
    )
    process.exitCode = 1
  } else console.log(`${page} shows what its commands print.`)
}
