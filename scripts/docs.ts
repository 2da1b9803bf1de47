/**
 * Makes the documentation that the service serves into `dist/docs`: the contract as Redoc renders it, and the pages of `docs`.
 * What Redocly prints is shown when it fails: on success it is notices about Node and about Redoc, which no setting turns off,
 * and `npm run lint:contract` reports what is wrong with the contract.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GUIDES, guidePages, ILLUSTRATED } from './docs/pages.js'
import { problemPages } from './docs/problems.js'
import { finishDocs } from './finish-docs.js'
import { ROOT } from './proof/paths.js'
import { mustRun } from './proof/run.js'

const STYLES = ['src/explorer/styles/base.css', 'src/explorer/styles/frame.css', 'scripts/docs/guide.css']

const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const reference = 'dist/docs/index.html'
await mustRun('redocly', ['build-docs', 'openapi/openapi.yaml', '--output', reference, '--inlineBundle'])
const files = new Map<string, string>([
  ['index.html', finishDocs(await read(reference))],
  ['style.css', (await Promise.all(STYLES.map(read))).join('\n')],
  ['icon.svg', await read('src/explorer/icon.svg')],
])
for (const { name } of ILLUSTRATED) {
  const picture = `pictures/${name}.svg`
  files.set(picture, await read(`docs/${picture}`))
}
for (const [name, html] of guidePages(
  await Promise.all(GUIDES.map(async (guide) => [guide, await read(`docs/${guide.name}.md`)] as const)),
))
  files.set(`${name}.html`, html)
for (const [name, html] of problemPages(await read('docs/problems.md'))) files.set(`${name}.html`, html)

for (const [name, text] of files) {
  const file = join(ROOT, 'dist/docs', name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
