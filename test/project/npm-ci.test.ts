import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../scripts/proof/paths.js'

const readJson = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8'))

test('npm ci has nothing to warn of: every install script is one that package.json allows', async () => {
  const { packages } = await readJson('package-lock.json')
  const { allowScripts } = await readJson('package.json')
  const scripted = Object.entries<{ hasInstallScript?: boolean }>(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted)].sort())
})

test('npm ci has nothing to warn of: no package is deprecated', async () => {
  const { packages } = await readJson('package-lock.json')
  const deprecated = Object.entries<{ deprecated?: string }>(packages).filter(([, it]) => it.deprecated)
  expect(deprecated).toEqual([])
})
