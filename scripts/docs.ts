/** Makes the pages of `docs` that the service serves into `dist/docs`: `npm run build:docs` runs it last. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GUIDES, guidePages, ILLUSTRATED } from './docs/pages.js'
import { problemPages } from './docs/problems.js'
import { ROOT } from './proof/paths.js'

const STYLES = ['src/explorer/styles/base.css', 'src/explorer/styles/frame.css', 'scripts/docs/guide.css']

const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const files = new Map<string, string>([
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
