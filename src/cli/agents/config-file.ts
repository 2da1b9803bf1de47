import { chmod, mkdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../../domain/failure.js'
import { Stop } from '../output/exits.js'
import { type ChangedFile, hashOf } from './connections.js'

export interface ConfigFile {
  /** Where it really is, behind links. */
  readonly file: string
  readonly text: string | undefined
  readonly mode: number
}

const NEW_FILE = 0o644
const ANY_MAY_WRITE = 0o222

/** Throws a `Stop` for a file that cannot be read as text, or not be written. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const file = await realpath(path)
    const { mode } = await stat(file)
    const bytes = await readFile(file)
    if ((mode & ANY_MAY_WRITE) === 0)
      throw new Stop(
        'exists',
        `${path} is read-only. Nothing was changed. Let it be written, or edit it yourself.`,
      )
    // With `ignoreBOM` the mark stays a part of the text.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { file, text, mode: mode & 0o777 }
  } catch (error) {
    if (error instanceof Stop) throw error
    if (errorCode(error) === 'ENOENT') return { file: resolve(path), text: undefined, mode: NEW_FILE }
    const why =
      error instanceof TypeError ? 'is not text in UTF-8' : `cannot be read (${errorCode(error) ?? error})`
    throw new Stop('data', `${path} ${why}. Nothing was changed.`, { cause: error })
  }
}

function backupOf(file: string): string {
  return `${file}.loregraph-backup`
}

/** Writes what a file is to be, and its former content beside it; a note of what was done comes back. */
export async function changeFile(
  now: ConfigFile,
  former: string | undefined,
  text: string,
): Promise<ChangedFile> {
  const { file, mode } = now
  try {
    const folder = await mkdir(dirname(file), { recursive: true })
    if (former !== undefined) await replace(backupOf(file), former, mode)
    await replace(file, text, mode)
    return { file, hash: hashOf(text), isNew: former === undefined, ...(folder !== undefined && { folder }) }
  } catch (error) {
    throw new Stop('exists', `${file} cannot be written (${errorCode(error) ?? error}).`, { cause: error })
  }
}

/** What a file was before, if nobody has changed it since; undefined otherwise. Absent if there was none. */
export async function formerText(
  now: ConfigFile,
  changed: ChangedFile,
): Promise<{ readonly text: string | undefined } | undefined> {
  if (now.text === undefined || hashOf(now.text) !== changed.hash) return undefined
  if (changed.isNew) return { text: undefined }
  const kept = await readFile(backupOf(changed.file), 'utf8').catch(() => undefined)
  return kept === undefined ? undefined : { text: kept }
}

/** Gives a file a text, or removes it with the folders that were made for it; the copy beside it is gone then. */
export async function restoreFile(
  now: ConfigFile,
  text: string | undefined,
  changed: ChangedFile,
): Promise<void> {
  if (text !== undefined) {
    if (text !== now.text) await replace(now.file, text, now.mode)
  } else {
    await rm(now.file, { force: true })
    await removeFolders(dirname(now.file), changed.folder)
  }
  await rm(backupOf(now.file), { force: true })
}

/** From the inner one to the outermost, as long as they are empty. */
async function removeFolders(inner: string, outermost: string | undefined): Promise<void> {
  for (let folder = inner; outermost !== undefined && folder.startsWith(outermost); folder = dirname(folder))
    try {
      await rmdir(folder)
    } catch {
      return
    }
}

/** Whole or not at all, with the same permissions. */
async function replace(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.loregraph-new`
  try {
    await writeFile(temporary, text, { mode, flush: true })
    await chmod(temporary, mode)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
