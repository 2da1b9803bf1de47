import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltFiles } from '../http/pages/file-cache.js'

/** The files of the built documentation; undefined when it has not been built. */
export async function readDocs(folder: string): Promise<BuiltFiles | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  if (paths.length === 0) return undefined
  const nameOf = (path: string) => path.slice(join(folder, '/').length).replaceAll('\\', '/')
  return new Map(
    await Promise.all(paths.map(async (path) => [nameOf(path), await readFile(path, 'utf8')] as const)),
  )
}
