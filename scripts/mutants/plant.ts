import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../proof/paths.js'
import type { Mutant } from './table.js'

/** A copy of the project in a folder of its own, in which bugs can be planted. */
export function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'loregraph-bugs-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0'))
    if (file !== '' && file !== 'node_modules') cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Runs `work` while the bug is in the copy. */
export async function planted<T>(
  copy: string,
  { file, find, replace }: Pick<Mutant, 'file' | 'find' | 'replace'>,
  work: () => T,
): Promise<Awaited<T>> {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.split(find).join(replace))
  try {
    return await work()
  } finally {
    writeFileSync(path, source)
  }
}
