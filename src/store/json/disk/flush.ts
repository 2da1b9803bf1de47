import { Fatal } from './errors.js'
import type { Files, OpenFile } from './files.js'

/** A flush that fails leaves nobody knowing what is on disk. */
export async function flushed(file: OpenFile, path: string): Promise<void> {
  try {
    await file.datasync()
  } catch (error) {
    throw new Fatal(`Flushing ${path} failed.`, { cause: error })
  }
}

export async function flushedFolder(files: Files, path: string): Promise<void> {
  try {
    await files.syncFolder(path)
  } catch (error) {
    throw new Fatal(`Flushing the folder ${path} failed.`, { cause: error })
  }
}
