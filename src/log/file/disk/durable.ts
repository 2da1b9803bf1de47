import { dirname } from 'node:path'
import { Fatal } from './errors.js'
import type { Files, OpenFile } from './files.js'

/**
 * Replaces a file atomically: writes and flushes a temporary file, renames it, and flushes the folder. If it fails, the old
 * file is unchanged.
 */
export async function replaceFile(
  files: Files,
  path: string,
  write: (file: OpenFile) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.tmp`
  if (files.identify(temporary) !== undefined) await files.remove(temporary)
  const file = await files.openToAppend(temporary, true)
  try {
    await write(file)
    await flushFile(file, temporary)
  } catch (error) {
    await files.remove(temporary).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
  await files.rename(temporary, path)
  await flushFolder(files, dirname(path))
}

/** A failed flush is fatal: the system may have dropped the pages and forgotten the error, so the disk content is unknown. */
export async function flushFile(file: OpenFile, path: string): Promise<void> {
  try {
    await file.datasync()
  } catch (error) {
    if (error instanceof Fatal) throw error
    throw new Fatal(`Flushing ${path} failed.`, { cause: error })
  }
}

export async function flushFolder(files: Files, path: string): Promise<void> {
  try {
    await files.syncFolder(path)
  } catch (error) {
    if (error instanceof Fatal) throw error
    throw new Fatal(`Flushing the folder ${path} failed.`, { cause: error })
  }
}
