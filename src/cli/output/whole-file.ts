import { open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../domain/failure.js'
import { Stop } from './exits.js'

/** On disk before it has its name. */
export async function writeWhole(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<string>,
  pid: number,
): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${pid}.tmp`)
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      for await (const chunk of chunks) await handle.writeFile(chunk)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw unwritable(file, error)
  }
}

/** Writes a file that is not there yet, and never over one that is. */
export async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw new Stop('exists', `${file} is there already, and is not written over. Choose another name.`, {
        cause: error,
      })
    throw unwritable(file, error)
  }
}

function unwritable(file: string, error: unknown): unknown {
  const code = errorCode(error) ?? ''
  // The place is wrong; a full disk is another matter.
  return OF_PATH.has(code)
    ? new Stop('exists', `${file} cannot be written (${code}).`, { cause: error })
    : error
}

const OF_PATH = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENAMETOOLONG'])
