import { fstatSync, readSync, statSync } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { errorCode } from '../../../domain/failure.js'

export interface Identity {
  readonly device: number
  readonly inode: number
  readonly size: number
}

export interface OpenFile {
  /** Fills the buffer from `position`, up to the end of the file; resolves to the number of bytes read. */
  read(buffer: Uint8Array, position: number): Promise<number>
  /** As `read`, but synchronous, for questions that must not yield to the event loop. */
  readNow(buffer: Uint8Array, position: number): number
  /** Appends all bytes. If it rejects, some of them may have been appended. */
  append(bytes: Uint8Array): Promise<void>
  truncate(size: number): Promise<void>
  /** Flushes the content, and the metadata needed to read it. */
  datasync(): Promise<void>
  identity(): Identity
  close(): Promise<void>
}

/** The file system operations of the file log. Tests replace them to record calls or inject failures. */
export interface Files {
  openToRead(path: string): Promise<OpenFile>
  /** Opens a file to append to it. With `create`, creates it, readable only by its owner; rejects if it exists. */
  openToAppend(path: string, create: boolean): Promise<OpenFile>
  /** Undefined when there is no such file. Synchronous, so that nothing can happen between the fence's check and the write. */
  identify(path: string): Identity | undefined
  /** Creates a hard link; rejects if `to` exists. */
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Removes a file, or a folder with all its content, if it exists. */
  remove(path: string): Promise<void>
  /** Creates the folder and its missing parents, accessible only by their owner. */
  makeFolder(path: string): Promise<void>
  /** The sorted names in a folder; empty when there is no such folder. */
  list(path: string): Promise<readonly string[]>
  /** Flushes the names in the folder. */
  syncFolder(path: string): Promise<void>
}

const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** The user and group that new files get. */
interface Owner {
  readonly uid: number
  readonly gid: number
}

export const nodeFiles: Files = filesOf(undefined)

/**
 * The real file system. New files and folders get the owner of the data folder, if it exists, even if root creates them: the
 * service could not start with a file that it may not read.
 */
export async function nodeFilesFor(folder: string): Promise<Files> {
  try {
    const { uid, gid } = await stat(folder)
    return filesOf({ uid, gid })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return nodeFiles
    throw error
  }
}

function filesOf(owner: Owner | undefined): Files {
  return {
    openToRead: async (path) => new NodeFile(await open(path, 'r')),
    async openToAppend(path, create) {
      const handle = await open(path, create ? 'ax' : 'a', OWNER_ONLY_FILE)
      if (create) await setModeAndOwner(handle, OWNER_ONLY_FILE, owner)
      return new NodeFile(handle)
    },
    identify(path) {
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats && { device: stats.dev, inode: stats.ino, size: stats.size }
    },
    link,
    rename,
    remove: (path) => rm(path, { recursive: true, force: true }),
    async makeFolder(path) {
      const first = await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER })
      if (first === undefined) return
      await withFolder(path, (made) => setModeAndOwner(made, OWNER_ONLY_FOLDER, owner))
    },
    async list(path) {
      try {
        return (await readdir(path)).sort()
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return []
        throw error
      }
    },
    syncFolder: (path) => withFolder(path, (folder) => folder.sync()),
  }
}

async function withFolder(path: string, use: (folder: FileHandle) => Promise<void>): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await use(folder)
  } finally {
    await folder.close()
  }
}

/** Sets the mode explicitly, since a umask could remove the owner's rights. Only root may change the owner. */
async function setModeAndOwner(handle: FileHandle, mode: number, owner: Owner | undefined): Promise<void> {
  await handle.chmod(mode)
  if (owner === undefined || (await handle.stat()).uid === owner.uid) return
  await handle.chown(owner.uid, owner.gid).catch((error: unknown) => {
    if (errorCode(error) !== 'EPERM') throw error
  })
}

class NodeFile implements OpenFile {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return filled
  }

  readNow(buffer: Uint8Array, position: number): number {
    let filled = 0
    while (filled < buffer.length) {
      const read = readSync(this.#handle.fd, buffer, filled, buffer.length - filled, position + filled)
      if (read === 0) break
      filled += read
    }
    return filled
  }

  async append(bytes: Uint8Array): Promise<void> {
    let written = 0
    while (written < bytes.length)
      written += (await this.#handle.write(bytes, written, bytes.length - written)).bytesWritten
  }

  truncate(size: number): Promise<void> {
    return this.#handle.truncate(size)
  }

  datasync(): Promise<void> {
    return this.#handle.datasync()
  }

  identity(): Identity {
    const stats = fstatSync(this.#handle.fd)
    return { device: stats.dev, inode: stats.ino, size: stats.size }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

export async function readAll(files: Files, path: string): Promise<string> {
  const file = await files.openToRead(path)
  try {
    const bytes = Buffer.alloc(file.identity().size)
    return bytes.toString('utf8', 0, await file.read(bytes, 0))
  } finally {
    await file.close()
  }
}
