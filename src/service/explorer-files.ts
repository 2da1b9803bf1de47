import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltFiles } from '../http/pages/file-cache.js'

/** The files of the built explorer; undefined when it has not been built. */
export async function readExplorer(folder: string): Promise<BuiltFiles | undefined> {
  const index = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (index === undefined) return undefined
  const names = await readdir(join(folder, 'assets')).catch(() => [])
  const assets = await Promise.all(
    names.map(
      async (name) => [`assets/${name}`, await readFile(join(folder, 'assets', name), 'utf8')] as const,
    ),
  )
  return new Map([['index.html', index], ...assets])
}
