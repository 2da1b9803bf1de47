import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Every file in a folder with its bytes, by its path from there. */
export type FolderContents = ReadonlyMap<string, string>

export function readFolder(folder: string): FolderContents {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.map((name) => join(folder, name)).filter((file) => lstatSync(file).isFile())
  return new Map(files.map((file) => [relative(folder, file), readFileSync(file, 'latin1')]))
}

/** The paths that were added, removed or changed. */
export function changedIn(before: FolderContents, after: FolderContents): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  )
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
