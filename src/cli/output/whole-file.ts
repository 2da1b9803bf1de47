import { lstat, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../domain/failure.js'
import { Stop } from './exits.js'

type Chunks = AsyncIterable<Uint8Array> | Iterable<string>

/** On disk before it has its name. A device or a pipe is written to, and a link stays one: no name is taken from them. */
export async function writeWhole(file: string, chunks: Chunks, pid: number): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined ? await isLink(file) : !found.isFile()) await writeInto(file, chunks)
  else await replace(found === undefined ? file : await realpath(file), chunks, pid)
}

/** Is it a link, to nothing as yet? */
async function isLink(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isSymbolicLink() ?? false
}

async function writeInto(file: string, chunks: Chunks): Promise<void> {
  // A reader may be gone, which is no success here: a backup that was cut short must not look like one.
  const failed = (error: unknown) => {
    const told = unwritable(file, error)
    if (told instanceof Stop) throw told
    const why = errorCode(error) ?? error
    throw new Stop('disk', `Not all could be written to ${file} (${why}).`, { cause: error })
  }
  const handle = await open(file, 'w', 0o600).catch(failed)
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk).catch(failed)
  } finally {
    await handle.close()
  }
}

async function replace(file: string, chunks: Chunks, pid: number): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${pid}.tmp`)
  try {
    await writeFile(temporary, chunks, { flag: 'wx', mode: 0o600, flush: true })
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
