import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/**
 * Imports point one way. For each part of `src`, what of ours it may import: a folder with everything in it, the
 * files of one, or one file. A part that is not listed here (main, config, cli) puts the others together and may import any but `contract/generated/`.
 */
const MAY_IMPORT = new Map([
  ['domain', ['domain/']],
  ['store', ['domain/', 'store/']],
  ['store/json', ['domain/', 'store/*', 'store/json/']],
  ['store/postgres', ['domain/', 'store/*', 'store/postgres/']],
  ['contract', ['domain/', 'contract/']],
  ['handlers', ['domain/', 'contract/', 'store/store.ts', 'store/hash-secret.ts', 'handlers/']],
  ['http', ['domain/', 'contract/', 'store/store.ts', 'store/hash-secret.ts', 'config/serving.ts', 'http/']],
  ['client', ['client/', 'contract/generated/']],
])

/** Packages that the domain may import: pure functions only. */
const PURE_PACKAGES = ['stemmer']

/** Everything that a file of `src` does against the rules, as sentences; `file` is relative to `src`. */
function violations(file: string, source: string): string[] {
  const [top = '', under] = file.split('/')
  const part = MAY_IMPORT.has(`${top}/${under}`) ? `${top}/${under}` : top
  const specifiers = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName)
  const ours = specifiers.filter((specifier) => specifier.startsWith('.')).map((name) => resolved(file, name))
  const theirs = specifiers.filter((specifier) => !specifier.startsWith('.'))
  const found = ours.filter((target) => !mayImport(part, target)).map((target) => `${file} imports ${target}`)
  const touched = new Set(touches(source))
  if (theirs.some((name) => /^(node:)?process$/.test(name))) touched.add('process')
  if (file !== 'main.ts' && touched.delete('process')) found.push(`${file} touches process`)
  if (part !== 'domain') return found
  for (const name of theirs) if (!PURE_PACKAGES.includes(name)) found.push(`${file} imports ${name}`)
  for (const what of touched) found.push(`${file} touches ${what}`)
  return found
}

function resolved(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

function mayImport(part: string, target: string): boolean {
  const allowed = MAY_IMPORT.get(part)
  if (allowed === undefined) return !target.startsWith('contract/generated/')
  return allowed.some((place) => covers(place, target))
}

function covers(place: string, target: string): boolean {
  if (place.endsWith('/')) return target.startsWith(place)
  return place.endsWith('/*') ? posix.dirname(target) === place.slice(0, -2) : target === place
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

const root = new URL('../src/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .sort()

describe('the architecture', () => {
  it('there is something to look at', () => expect(files).toContain('domain/names.ts'))

  it.each(files)('src/%s keeps to its place', (file) => {
    expect(violations(file, readFileSync(new URL(file, root), 'utf8'))).toEqual([])
  })
})

describe('the rules themselves', () => {
  it.each([
    ['domain/a.ts', "import { x } from '../store/store.js'", 'domain/a.ts imports store/store.ts'],
    ['domain/insight/a.ts', "import '../../http/app.js'", 'domain/insight/a.ts imports http/app.ts'],
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
    ['domain/a.ts', "import express from 'express'", 'domain/a.ts imports express'],
    ['domain/a.ts', 'export const now = () => Date.now()', 'domain/a.ts touches the clock'],
    ['domain/a.ts', 'export const now = () => new Date()', 'domain/a.ts touches the clock'],
    ['domain/a.ts', 'export const roll = () => Math.random()', 'domain/a.ts touches chance'],
    [
      'store/json/a.ts',
      "export { x } from '../../handlers/events.js'",
      'store/json/a.ts imports handlers/events.ts',
    ],
    ['store/json/a.ts', "import { ok } from '../../http/reply.js'", 'store/json/a.ts imports http/reply.ts'],
    ['store/json/a.ts', "const x = await import('../../main.js')", 'store/json/a.ts imports main.ts'],
    ['store/json/a.ts', 'export const pid = process.pid', 'store/json/a.ts touches process'],
    [
      'store/json/a.ts',
      "import { rows } from '../postgres/rows.js'",
      'store/json/a.ts imports store/postgres/rows.ts',
    ],
    ['store/a.ts', "import { ok } from '../http/reply.js'", 'store/a.ts imports http/reply.ts'],
    ['handlers/a.ts', "import { send } from '../http/respond.js'", 'handlers/a.ts imports http/respond.ts'],
    [
      'handlers/a.ts',
      "import { x } from '../store/json/store.js'",
      'handlers/a.ts imports store/json/store.ts',
    ],
    ['http/a.ts', "import { serve } from '../cli/serve.js'", 'http/a.ts imports cli/serve.ts'],
    ['http/a.ts', 'const { env } = globalThis.process', 'http/a.ts touches process'],
    ['http/a.ts', "import { env } from 'node:process'", 'http/a.ts touches process'],
    ['http/a.ts', 'const world = { process }', 'http/a.ts touches process'],
    ['client/a.ts', "import { fold } from '../domain/names.js'", 'client/a.ts imports domain/names.ts'],
    [
      'cli/a.ts',
      "import type { paths } from '../contract/generated/api.js'",
      'cli/a.ts imports contract/generated/api.ts',
    ],
    [
      'mcp/a.ts',
      "import type { paths } from '../contract/generated/api.js'",
      'mcp/a.ts imports contract/generated/api.ts',
    ],
    ['cli/a.ts', 'process.exit(1)', 'cli/a.ts touches process'],
    ['config/config.ts', "const port = process.env['PORT']", 'config/config.ts touches process'],
  ])('%s: %s is refused', (file, source, sentence) => expect(violations(file, source)).toEqual([sentence]))

  it.each([
    ['domain/insight/a.ts', "import { fold } from '../names.js'\nimport { stemmer } from 'stemmer'"],
    ['domain/a.ts', "// process.env and Date.now() in a comment\nexport const at = new Date('2026-01-01')"],
    [
      'store/json/a.ts',
      "import { fold } from '../../domain/names.js'\nimport { open } from 'node:fs/promises'",
    ],
    [
      'handlers/a.ts',
      "import type { Handlers } from '../contract/operations.js'\nimport { ok } from '../contract/reply.js'",
    ],
    ['http/a.ts', 'interface Job { process: number }\nexport const run = (job: Job) => job.process'],
    ['main.ts', "import { createApp } from './http/app.js'\nprocess.exitCode = 1"],
  ])('%s: %s is welcome', (file, source) => expect(violations(file, source)).toEqual([]))
})
