import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isBuilt, noteBuild, noteIn, SOURCES } from '../../scripts/build/built.js'
import { ROOT } from '../../scripts/proof/paths.js'
import { temporaryFolder } from '../support/folder.js'

function builtProject() {
  const root = temporaryFolder()
  const note = noteIn(join(root, '.cache'))
  for (const folder of ['src/domain', 'dist/domain']) mkdirSync(join(root, folder), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  write('src/domain/ids.ts', 'export const one = 1')
  write('dist/domain/ids.js', 'export const one = 1')
  write('package-lock.json', '{}')
  noteBuild(root, note)
  return { root, write, isBuilt: () => isBuilt(root, note) }
}

test('everything that a build is made of is there', () => {
  expect(SOURCES.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('a build is not made again while nothing has changed', () => {
  const project = builtProject()
  expect(project.isBuilt()).toBe(true)
  project.write('README.md', 'not a part of it')
  expect(project.isBuilt()).toBe(true)
})

test.each(['src/domain/ids.ts', 'src/new.ts', 'dist/domain/ids.js', 'package-lock.json'])(
  '%s that has changed makes a new build necessary, and as it was again, does not',
  (path) => {
    const project = builtProject()
    const before =
      path === 'src/new.ts' ? undefined : path === 'package-lock.json' ? '{}' : 'export const one = 1'
    project.write(path, 'export const one = 2')
    expect(project.isBuilt()).toBe(false)
    if (before === undefined) rmSync(join(project.root, path))
    else project.write(path, before)
    expect(project.isBuilt()).toBe(true)
  },
)

test('without a note, or with a file of it missing, it counts as not built', () => {
  const project = builtProject()
  rmSync(join(project.root, 'dist/domain/ids.js'))
  expect(project.isBuilt()).toBe(false)
  expect(isBuilt(project.root, noteIn(project.root))).toBe(false)
})
