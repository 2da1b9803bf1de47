import { dirname } from 'node:path'
import { Fatal } from './errors.js'
import type { Files, OpenFile } from './files.js'

/**
 * Puts a new file in the place of an old one in one step: it is flushed under another name, renamed, and the folder is
 * flushed. Whenever it fails, the old file is what is there.
 */
export async function replaceFile(
  files: Files,
  path: string,
  write: (file: OpenFile) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.tmp`
  await files.remove(temporary)
  const file = await files.openToAppend(temporary, true)
  try {
    await write(file)
    await flushed(file, temporary)
  } catch (error) {
    await files.remove(temporary).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
  await files.rename(temporary, path)
  await flushedFolder(files, dirname(path))
}

/** After a failed flush the content of the disk is unknown: the system may have dropped the pages and forgotten the error. */
export async function flushed(file: OpenFile, path: string): Promise<void> {
  try {
    await file.datasync()
  } catch (error) {
    if (error instanceof Fatal) throw error
    throw new Fatal(`Flushing ${path} failed.`, { cause: error })
  }
}

export async function flushedFolder(files: Files, path: string): Promise<void> {
  try {
    await files.syncFolder(path)
  } catch (error) {
    if (error instanceof Fatal) throw error
    throw new Fatal(`Flushing the folder ${path} failed.`, { cause: error })
  }
}
