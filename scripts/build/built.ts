import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE, ROOT } from '../proof/paths.js'

/** All that a build is made of. Of packages, those that the lock file names. */
export const SOURCES = [
  'src',
  'openapi',
  'assembly',
  'docs',
  'scripts/build-assembly.ts',
  'scripts/build-contract.ts',
  'scripts/explorer.vite.ts',
  'scripts/finish-docs.ts',
  'scripts/docs.ts',
  'scripts/docs',
  'scripts/proof',
]
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'redocly.yaml']
const OUTPUT = 'dist'

/** Is `dist` what `npm run build` would make now? Not if it was edited. */
export function isBuilt(root = ROOT, note = noteIn(CACHE)): boolean {
  return existsSync(note) && readFileSync(note, 'utf8') === fingerprint(root)
}

/** Notes that `dist` has just been made. */
export function noteBuild(root = ROOT, note = noteIn(CACHE)): void {
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, fingerprint(root))
}

export function noteIn(folder: string): string {
  return join(folder, 'built')
}

function fingerprint(root: string): string {
  const hash = createHash('sha256').update(process.version)
  for (const path of [...SOURCES, ...SETTINGS, OUTPUT].flatMap((path) => filesIn(root, path)))
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesIn(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name}`)
    .filter((file) => statSync(join(root, file)).isFile())
    .sort()
}
