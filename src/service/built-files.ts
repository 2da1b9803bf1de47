import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltFiles } from '../http/pages/file-cache.js'

/** The text of each file in a folder of the build, by its path within it; undefined when it has not been built. */
export async function readBuilt(folder: string): Promise<BuiltFiles | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const nameOf = (path: string) => path.slice(join(folder, '/').length).replaceAll('\\', '/')
  const files = new Map(
    await Promise.all(paths.map(async (path) => [nameOf(path), await readFile(path, 'utf8')] as const)),
  )
  return files.has('index.html') ? files : undefined
}
