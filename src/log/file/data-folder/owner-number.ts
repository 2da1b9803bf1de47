import { join } from 'node:path'
import { errorCode } from '../../../domain/failure.js'
import { flushedFolder } from '../disk/durable.js'
import type { Files } from '../disk/files.js'
import { latest, numbered, numberIn } from '../disk/numbered.js'
import { latestManifest } from './manifest.js'

const OWNER = 'owner'
const CLEAN = 'clean'

/**
 * Gives the owner of a data folder its number. After an owner that closed in good order it is the same: that one is gone
 * for certain. Otherwise it is the next one, and nobody else gets it: a file of that name is made, which must not be there yet.
 * It is the first change that an owner makes.
 */
export async function takeNumber(files: Files, folder: string): Promise<number> {
  const last = Math.max((await latest(files, folder, OWNER)) ?? 0, (await latestManifest(files, folder)) ?? 0)
  const mark = join(folder, numbered(CLEAN, last))
  if (files.identify(mark) !== undefined) {
    await files.remove(mark)
    await flushedFolder(files, folder)
    return last
  }
  for (let number = last + 1; ; number++) {
    try {
      await (await files.openToAppend(join(folder, numbered(OWNER, number)), true)).close()
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue
      throw error
    }
    await flushedFolder(files, folder)
    return number
  }
}

/** Says that this owner closed in good order. Without it the next start takes more care, and no harm is done. */
export async function markClosed(files: Files, folder: string, number: number): Promise<void> {
  try {
    await (await files.openToAppend(join(folder, numbered(CLEAN, number)), true)).close()
  } catch {
    return
  }
}

/** Removes what is left of the numbers before this one. */
export async function removeEarlierNumbers(files: Files, folder: string, number: number): Promise<void> {
  for (const name of await files.list(folder)) {
    const earlier = numberIn(name, OWNER) ?? numberIn(name, CLEAN)
    if (earlier !== undefined && earlier < number) await files.remove(join(folder, name))
  }
}
