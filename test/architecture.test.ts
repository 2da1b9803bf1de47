import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** What a log may import: `GraphLog` and its entries, but neither another log nor the code that keeps graphs open. */
const A_LOG = ['domain/', 'loop/', 'graph/*', 'store/*', 'log/entries.ts', 'log/graph-log.ts']

/**
 * The parts of `src` from the lowest to the highest, each with what it may import besides itself: a folder with everything
 * in it (`domain/`), the files of a folder (`store/*`) or one file.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  loop: [],
  'graph/search': ['domain/', 'graph/records.ts'],
  'graph/overview': ['domain/', 'graph/*'],
  graph: ['domain/', 'loop/', 'graph/search/', 'graph/overview/'],
  store: ['domain/', 'graph/reader.ts', 'graph/records.ts'],
  'log/file': [...A_LOG, 'graph/search/segment.ts'],
  'log/postgres': A_LOG,
  'log/file-store.ts': ['log/*', 'log/file/'],
  'log/postgres-store.ts': ['log/*', 'log/postgres/'],
  log: ['domain/', 'loop/', 'graph/', 'store/*'],
  contract: ['domain/'],
  config: ['store/hash-secret.ts'],
  handlers: ['domain/', 'loop/', 'contract/', 'store/store.ts', 'store/hash-secret.ts'],
  client: ['contract/generated/'],
  explorer: ['client/index.ts'],
  mcp: ['domain/', 'contract/*', 'client/'],
  http: [
    'domain/',
    'loop/',
    'contract/',
    'store/store.ts',
    'store/hash-secret.ts',
    'config/serving.ts',
    'mcp/exchange.ts',
  ],
  service: ['domain/', 'log/', 'store/', 'contract/', 'config/', 'handlers/', 'client/', 'mcp/', 'http/'],
  cli: [
    ...['domain/', 'log/', 'store/', 'contract/*', 'config/', 'handlers/', 'client/', 'mcp/', 'http/'],
    'service/',
  ],
  'main.ts': ['domain/failure.ts', 'store/', 'config/', 'service/', 'cli/'],
}

/** What the domain may import from elsewhere, for functions without side effects. */
const PURE = ['stemmer', 'node:zlib']

const root = new URL('../src/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort()
const sources = new Map(files.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]))

function partOf(file: string): string | undefined {
  return Object.keys(PARTS).find((part) => file === part || file.startsWith(`${part}/`))
}

function importsOf(file: string, source: string): string[] {
  return ts
    .preProcessFile(source, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => resolved(file, fileName))
}

function resolved(from: string, specifier: string): string {
  const file = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
  return sources.has(`${file}x`) ? `${file}x` : file
}

function covers(place: string, file: string): boolean {
  if (place.endsWith('/')) return file.startsWith(place)
  return place.endsWith('/*') ? posix.dirname(file) === place.slice(0, -2) : file === place
}

/** What a file does that its part may not; `file` is relative to `src`. */
function violations(file: string, source: string): string[] {
  const part = partOf(file)
  if (part === undefined) return [`${file} belongs to no part`]
  const found = importsOf(file, source)
    .filter((target) => partOf(target) !== part && !PARTS[part]?.some((place) => covers(place, target)))
    .map((target) => `imports ${target}`)
  const code = source.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  if (file !== 'main.ts' && /(?<![-\w.])process\.\w|globalThis\.process|['"](node:)?process['"]/.test(code))
    found.push('uses process')
  if (part === 'domain') {
    const packages = ts
      .preProcessFile(source)
      .importedFiles.filter(({ fileName }) => !fileName.startsWith('.'))
    for (const { fileName } of packages) if (!PURE.includes(fileName)) found.push(`imports ${fileName}`)
    found.push(...(code.match(/\b(Date\.now|performance\.now|Math\.random|new Date)\(\)/g) ?? []))
  }
  return found.map((what) => `${file}: ${what}`)
}

/** The circles of imports, type imports included, each as the files along it. */
function circles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    done.add(file)
    for (const target of importsOf(file, sources.get(file) ?? '')) visit(target, [...path, file])
  }
  for (const file of files) visit(file, [])
  return found
}

/** The files that are loaded with this one: neither types nor what is imported when it is needed. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  const { statements } = ts.createSourceFile(file, sources.get(file) ?? '', ts.ScriptTarget.Latest)
  for (const statement of statements) {
    const isImport = ts.isImportDeclaration(statement)
    if (!isImport && !ts.isExportDeclaration(statement)) continue
    const isType = isImport ? statement.importClause?.isTypeOnly === true : statement.isTypeOnly
    const from = statement.moduleSpecifier
    if (!isType && from !== undefined && ts.isStringLiteral(from) && from.text.startsWith('.'))
      loadedWith(resolved(file, from.text), loaded)
  }
  return loaded
}

test('every part of src imports only what it may, and only main.ts uses process', () => {
  expect(files.flatMap((file) => violations(file, sources.get(file) ?? ''))).toEqual([])
})

test('no circle of imports, type imports included', () => expect(circles()).toEqual([]))

test.each([
  ['no log and no graph, by a command that asks a service', 'cli/run.ts', /^(log|graph)\//],
  ['no log and no graph, by a hook', 'cli/agents/hook.ts', /^(log|graph)\//],
  ['no PostgreSQL, by a command in a folder', 'cli/target/local.ts', /^log\/postgres/],
  ['no PostgreSQL, by a service on files', 'service/serve.ts', /^log\/postgres/],
])('what is not needed is not loaded: %s', (_, file, unneeded) => {
  const loaded = [...loadedWith(file)]
  expect(loaded.length).toBeGreaterThan(5)
  expect(loaded.filter((one) => unneeded.test(one))).toEqual([])
})

test('ARCHITECTURE.md has a line for every folder of src, and names nothing that is not there', () => {
  const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))
  expect([...folders].filter((folder) => !page.includes(`| \`src/${folder}/\` |`))).toEqual([])
  const named = Array.from(
    page.matchAll(/`((?:src|test|docs|examples|openapi|scripts)\/[\w./-]*)`/g),
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(folders.size)
  expect(named.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([])
})

test.each([
  ['domain/a.ts', "import { x } from '../store/store.js'", 'imports store/store.ts'],
  [
    'domain/a.ts',
    "type X = import('../contract/generated/api.js').operations",
    'imports contract/generated/api.ts',
  ],
  ['domain/a.ts', "import { readFile } from 'node:fs/promises'", 'imports node:fs/promises'],
  ['domain/a.ts', 'export const now = () => Date.now()', 'Date.now()'],
  ['graph/a.ts', "import type { Head } from '../log/graph-log.js'", 'imports log/graph-log.ts'],
  ['log/postgres/a.ts', "import { FileLog } from '../file/file-log.js'", 'imports log/file/file-log.ts'],
  ['http/a.ts', "const x = await import('../main.js')", 'imports main.ts'],
  ['cli/a.ts', 'process.exit(1)', 'uses process'],
])('%s: %s is refused', (file, source, what) =>
  expect(violations(file, source)).toEqual([`${file}: ${what}`]),
)

test.each([
  ['domain/a.ts', "import { crc32 } from 'node:zlib'\nexport const at = new Date('2026-01-01')"],
  ['log/file-store.ts', "import { x } from './file/file-log.js'"],
])('%s: %s is allowed', (file, source) => expect(violations(file, source)).toEqual([]))
