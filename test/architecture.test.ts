import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/** What a log knows, of which an entry and `GraphLog` alone are the engine's: no log knows another, and the engine knows none. */
const A_LOG = ['domain/', 'loop/', 'graph/*', 'store/*', 'log/entries.ts', 'log/graph-log.ts']

/**
 * The parts of `src` from the lowest to the highest, each with what of ours it may import besides itself: a folder with
 * everything in it (`domain/`), the files of a folder (`store/*`) or one file.
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

/**
 * The rooms of each part, a line each, from the lowest floor to the highest: folders, or a file that lies lower than its
 * folder does. `.` is the folder of the part itself.
 */
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  domain: [
    ['.'],
    ['trust/fields.ts'],
    ['trust/claims', 'search', 'meaning'],
    ['trust/decide'],
    ['trust/erase'],
    ['trust'],
    ['survey', 'judgement/reading'],
    ['judgement'],
    ['events'],
    ['transfer', 'insight'],
    ['brief', 'hooks'],
  ],
  'graph/search': [['.']],
  'graph/overview': [['.']],
  graph: [['.']],
  'log/file': [['disk'], ['.']],
  'log/postgres': [['.']],
  'log/file-store.ts': [['.']],
  'log/postgres-store.ts': [['.']],
  log: [['.']],
  loop: [['.']],
  store: [['.']],
  contract: [['.']],
  config: [['.']],
  handlers: [['.']],
  client: [['.']],
  mcp: [['tools'], ['.']],
  explorer: [['state', 'styles'], ['parts', 'pictures'], ['views'], ['.']],
  http: [['problems', 'pipeline'], ['validation', 'response'], ['pages'], ['load'], ['steps'], ['.']],
  service: [['meaning', 'demo'], ['.']],
  cli: [['output'], ['parse'], ['target', 'formats'], ['cases'], ['commands'], ['agents'], ['.']],
  'main.ts': [['.']],
}

/** What the domain may import that is not ours: pure functions only. */
const PURE: Readonly<Record<string, readonly string[]>> = { stemmer: ['stemmer'], 'node:zlib': ['crc32'] }

const PART_NAMES = Object.keys(PARTS)

function partOf(file: string): string | undefined {
  return PART_NAMES.find((part) => file === part || file.startsWith(`${part}/`))
}

/** The room of a file within its part. */
function roomOf(part: string, file: string): string | undefined {
  const folder = file === part ? '.' : posix.relative(part, posix.dirname(file)) || '.'
  const rooms = ROOMS[part]?.flat() ?? []
  const own = rooms.find((room) => room === posix.relative(part, file))
  // Generated code is part of the room that it is generated for.
  return own ?? rooms.find((room) => room === (folder === 'generated' ? '.' : folder))
}

function floorOf(part: string, room: string): number {
  return ROOMS[part]?.findIndex((rooms) => rooms.includes(room)) ?? -1
}

/** Everything that a file of `src` does against the rules, as sentences; `file` is relative to `src`. */
function violations(file: string, source: string): string[] {
  const part = partOf(file)
  const room = part === undefined ? undefined : roomOf(part, file)
  if (part === undefined || room === undefined) return [`${file} lies in no room`]
  const imported = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName)
  const found = imported
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolved(file, specifier))
    .filter((target) => !mayImport(part, room, target))
    .map((target) => `${file} imports ${target}`)
  const theirs = imported.filter((specifier) => !specifier.startsWith('.'))
  const touched = new Set(touches(source))
  if (theirs.some((name) => /^(node:)?process$/.test(name))) touched.add('process')
  if (file !== 'main.ts' && touched.delete('process')) found.push(`${file} touches process`)
  if (part !== 'domain') return found
  for (const name of theirs) if (!isPure(name, source)) found.push(`${file} imports ${name}`)
  for (const what of touched) found.push(`${file} touches ${what}`)
  return found
}

function mayImport(part: string, room: string, target: string): boolean {
  if (partOf(target) !== part) return (PARTS[part] ?? []).some((place) => covers(place, target))
  const there = roomOf(part, target)
  if (there === undefined) return false
  return there === room || floorOf(part, there) < floorOf(part, room)
}

function covers(place: string, target: string): boolean {
  if (place.endsWith('/')) return target.startsWith(place)
  return place.endsWith('/*') ? posix.dirname(target) === place.slice(0, -2) : target === place
}

function resolved(from: string, specifier: string): string {
  const file = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
  return existsSync(new URL(`${file}x`, root)) ? `${file}x` : file
}

/** A listed package of which nothing but the listed names is imported. */
function isPure(name: string, source: string): boolean {
  const names = PURE[name]
  if (names === undefined) return false
  const imports = new RegExp(`import \\{([^}]*)\\} from '${name}'`).exec(source)?.[1] ?? '*'
  return imports.split(',').every((one) => names.includes(one.trim()))
}

/** What a source asks of the world around it without an import: the process, the clock, chance. */
function touches(source: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'process' && !isNameOfMember(node)) found.push('process')
    if (ts.isPropertyAccessExpression(node)) {
      const path = node.getText().replace(/\s/g, '')
      if (/^globalThis\.process$/.test(path)) found.push('process')
      if (/^(Date\.now|performance\.now|performance\.timeOrigin)$/.test(path)) found.push('the clock')
      if (/^(Math\.random|crypto\.\w+)$/.test(path)) found.push('chance')
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
      found.push('the clock')
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true))
  return found
}

/** The `process` of `job.process` or of `{ process: 1 }` is a name of its own. */
function isNameOfMember(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent)) &&
    parent.name === node
  )
}

/** The circles of imports, type imports included, each as the files along it. */
function circles(sources: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    done.add(file)
    const imported = ts.preProcessFile(sources.get(file) ?? '', true, true).importedFiles
    for (const { fileName } of imported)
      if (fileName.startsWith('.')) visit(resolved(file, fileName), [...path, file])
  }
  for (const file of sources.keys()) visit(file, [])
  return found
}

/** The files that are loaded when this one is, itself included: neither types nor what is imported when it is asked for. */
function loadedWith(
  file: string,
  sources: ReadonlyMap<string, string>,
  loaded = new Set<string>(),
): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  const { statements } = ts.createSourceFile(file, sources.get(file) ?? '', ts.ScriptTarget.Latest)
  for (const statement of statements) {
    const isImport = ts.isImportDeclaration(statement)
    if (!isImport && !ts.isExportDeclaration(statement)) continue
    const isType = isImport ? statement.importClause?.isTypeOnly === true : statement.isTypeOnly
    const from = statement.moduleSpecifier
    if (!isType && from !== undefined && ts.isStringLiteral(from) && from.text.startsWith('.'))
      loadedWith(resolved(file, from.text), sources, loaded)
  }
  return loaded
}

const root = new URL('../src/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(tsx?|css)$/.test(file))
  .sort()
const sources = new Map(files.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]))

describe('the architecture', () => {
  test('there is something to look at', () => expect(files).toContain('domain/names.ts'))

  test.each(files)('src/%s keeps to its room', (file) => {
    expect(violations(file, sources.get(file) ?? '')).toEqual([])
  })

  test('no circle of imports, type imports included', () => expect(circles(sources)).toEqual([]))

  test.each([
    ['stores and engine, by a command that asks a service', 'cli/run.ts', /^(log|graph)\/|\/engine\.ts$/],
    ['stores and engine, by a hook', 'cli/agents/hook.ts', /^(log|graph)\/|\/engine\.ts$/],
    ['PostgreSQL, by a command in a folder', 'cli/target/local.ts', /^log\/postgres/],
    ['PostgreSQL, by a service on files', 'service/serve.ts', /^log\/postgres/],
  ])('what is not needed is not loaded: %s', (_, file, unneeded) => {
    expect([...loadedWith(file, sources)].filter((loaded) => unneeded.test(loaded))).toEqual([])
  })

  test('every listed room is there', () => {
    const there = new Set([...files, ...files.map((file) => posix.dirname(file))])
    const listed = Object.entries(ROOMS).flatMap(([part, floors]) =>
      floors.flat().map((room) => (part.endsWith('.ts') ? posix.dirname(part) : posix.join(part, room))),
    )
    expect(listed.filter((room) => !there.has(room))).toEqual([])
  })

  test('ARCHITECTURE.md has a line for every folder of src, and names nothing that is not there', () => {
    const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')
    const folders = new Set(files.map((file) => file.split('/')[0]).filter((name) => !name?.endsWith('.ts')))
    expect([...folders].filter((folder) => !page.includes(`| \`src/${folder}/\` |`))).toEqual([])
    const named = Array.from(
      page.matchAll(/`((?:src|test|docs|openapi|scripts)\/[\w./-]*)`/g),
      ([, path = '']) => path,
    )
    expect(named.length).toBeGreaterThan(folders.size)
    expect(named.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([])
  })
})

describe('the rules themselves', () => {
  test.each([
    ['domain/a.ts', "import { x } from '../store/store.js'", 'domain/a.ts imports store/store.ts'],
    ['domain/insight/a.ts', "import '../../http/app.js'", 'domain/insight/a.ts imports http/app.ts'],
    ['domain/a.ts', "import { x } from './trust/b.js'", 'domain/a.ts imports domain/trust/b.ts'],
    [
      'domain/search/a.ts',
      "import { x } from '../trust/claims/b.js'",
      'domain/search/a.ts imports domain/trust/claims/b.ts',
    ],
    [
      'domain/trust/fields.ts',
      "import { x } from './claims/b.js'",
      'domain/trust/fields.ts imports domain/trust/claims/b.ts',
    ],
    [
      'domain/trust/claims/a.ts',
      "import { x } from '../record.js'",
      'domain/trust/claims/a.ts imports domain/trust/record.ts',
    ],
    [
      'domain/a.ts',
      "import type { operations } from '../contract/generated/api.js'",
      'domain/a.ts imports contract/generated/api.ts',
    ],
    [
      'domain/a.ts',
      "type X = import('../contract/generated/api.js').operations",
      'domain/a.ts imports contract/generated/api.ts',
    ],
    ['domain/a.ts', "import { readFile } from 'node:fs/promises'", 'domain/a.ts imports node:fs/promises'],
    ['domain/a.ts', "import { crc32, gzip } from 'node:zlib'", 'domain/a.ts imports node:zlib'],
    ['domain/a.ts', "import express from 'express'", 'domain/a.ts imports express'],
    ['domain/a.ts', 'export const now = () => Date.now()', 'domain/a.ts touches the clock'],
    ['domain/a.ts', 'export const now = () => new Date()', 'domain/a.ts touches the clock'],
    ['domain/a.ts', 'export const roll = () => Math.random()', 'domain/a.ts touches chance'],
    ['domain/new-room/a.ts', '', 'domain/new-room/a.ts lies in no room'],
    ['elsewhere/a.ts', '', 'elsewhere/a.ts lies in no room'],
    ['graph/a.ts', "import type { Head } from '../log/graph-log.js'", 'graph/a.ts imports log/graph-log.ts'],
    ['graph/a.ts', "import type { Store } from '../store/store.js'", 'graph/a.ts imports store/store.ts'],
    ['graph/search/a.ts', "import { Graph } from '../graph.js'", 'graph/search/a.ts imports graph/graph.ts'],
    [
      'log/file/a.ts',
      "export { x } from '../../handlers/events.js'",
      'log/file/a.ts imports handlers/events.ts',
    ],
    [
      'log/file/disk/a.ts',
      "import { GraphFile } from '../graph-file.js'",
      'log/file/disk/a.ts imports log/file/graph-file.ts',
    ],
    ['log/file/a.ts', "const x = await import('../../main.js')", 'log/file/a.ts imports main.ts'],
    ['log/file/a.ts', 'export const pid = process.pid', 'log/file/a.ts touches process'],
    [
      'log/file/a.ts',
      "import { rows } from '../postgres/rows.js'",
      'log/file/a.ts imports log/postgres/rows.ts',
    ],
    [
      'log/postgres/a.ts',
      "import { FileLog } from '../file/file-log.js'",
      'log/postgres/a.ts imports log/file/file-log.ts',
    ],
    [
      'log/postgres/a.ts',
      "import { OpenGraph } from '../open-graph.js'",
      'log/postgres/a.ts imports log/open-graph.ts',
    ],
    ['log/a.ts', "import { x } from './file/file-log.js'", 'log/a.ts imports log/file/file-log.ts'],
    ['store/a.ts', "import { x } from '../log/store.js'", 'store/a.ts imports log/store.ts'],
    ['handlers/a.ts', "import { send } from '../http/app.js'", 'handlers/a.ts imports http/app.ts'],
    ['handlers/a.ts', "import { x } from '../log/store.js'", 'handlers/a.ts imports log/store.ts'],
    ['http/a.ts', "import { serve } from '../service/serve.js'", 'http/a.ts imports service/serve.ts'],
    ['http/a.ts', "import { x } from '../handlers/events.js'", 'http/a.ts imports handlers/events.ts'],
    ['http/a.ts', 'const { env } = globalThis.process', 'http/a.ts touches process'],
    ['http/a.ts', "import { env } from 'node:process'", 'http/a.ts touches process'],
    ['http/a.ts', 'const world = { process }', 'http/a.ts touches process'],
    ['client/a.ts', "import { fold } from '../domain/names.js'", 'client/a.ts imports domain/names.ts'],
    [
      'cli/a.ts',
      "import type { paths } from '../contract/generated/api.js'",
      'cli/a.ts imports contract/generated/api.ts',
    ],
    ['cli/a.ts', 'process.exit(1)', 'cli/a.ts touches process'],
    ['config/a.ts', "const port = process.env['PORT']", 'config/a.ts touches process'],
    [
      'explorer/views/a.tsx',
      "import type { paths } from '../../contract/generated/api.js'",
      'explorer/views/a.tsx imports contract/generated/api.ts',
    ],
    [
      'explorer/parts/a.tsx',
      "import { Ask } from '../views/ask.js'",
      'explorer/parts/a.tsx imports explorer/views/ask.tsx',
    ],
  ])('%s: %s is refused', (file, source, sentence) => expect(violations(file, source)).toEqual([sentence]))

  test.each([
    ['domain/insight/a.ts', "import { fold } from '../names.js'\nimport { stemmer } from 'stemmer'"],
    ['domain/a.ts', "// process.env and Date.now() in a comment\nexport const at = new Date('2026-01-01')"],
    ['domain/a.ts', "import { crc32 } from 'node:zlib'"],
    ['domain/trust/claims/a.ts', "import { x } from '../fields.js'"],
    [
      'log/file/a.ts',
      "import { fold } from '../../domain/names.js'\nimport { open } from 'node:fs/promises'",
    ],
    ['log/file-store.ts', "import { x } from './file/file-log.js'\nimport { y } from './store.js'"],
    [
      'handlers/a.ts',
      "import type { Handlers } from '../contract/operations.js'\nimport { ok } from '../contract/reply.js'",
    ],
    ['http/a.ts', 'interface Job { process: number }\nexport const run = (job: Job) => job.process'],
    ['main.ts', "import { serve } from './service/serve.js'\nprocess.exitCode = 1"],
  ])('%s: %s is welcome', (file, source) => expect(violations(file, source)).toEqual([]))

  test('what is loaded is what is imported, but neither types nor what is asked for later', () => {
    const sources = new Map([
      ['cli/run.ts', "import { a } from './a.js'\nimport type { B } from './b.js'\nimport('./c.js')"],
      ['cli/a.ts', "export * from './d.js'\nexport type { E } from './e.js'"],
    ])
    expect([...loadedWith('cli/run.ts', sources)]).toEqual(['cli/run.ts', 'cli/a.ts', 'cli/d.ts'])
  })

  test('a circle is found, and named by its files', () => {
    const three = new Map([
      ['a.ts', "import './b.js'"],
      ['b.ts', "import type { C } from './c.js'"],
      ['c.ts', "import './a.js'"],
    ])
    expect(circles(three)).toEqual(['a.ts → b.ts → c.ts → a.ts'])
  })
})
