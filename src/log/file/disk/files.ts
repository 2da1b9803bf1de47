import { fstatSync, readSync, statSync } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { errorCode } from '../../../domain/failure.js'

/** Which file it is and how long: what the fence compares. */
export interface Identity {
  readonly device: number
  readonly inode: number
  readonly size: number
}

export interface OpenFile {
  /** Fills the buffer from `position` as far as the file goes; resolves to the bytes read. */
  read(buffer: Uint8Array, position: number): Promise<number>
  /** The same at once, for questions that must not give way to another task of the event loop. */
  readNow(buffer: Uint8Array, position: number): number
  /** Adds all the bytes at the end, or rejects having added some of them. */
  append(bytes: Uint8Array): Promise<void>
  truncate(size: number): Promise<void>
  /** The content, and what is needed to find it, is on disk. */
  datasync(): Promise<void>
  identity(): Identity
  close(): Promise<void>
}

/** All that the file log asks of a file system, so that a test can record it or make it fail. */
export interface Files {
  openToRead(path: string): Promise<OpenFile>
  /** Opens a file to add to it; `create` makes it, and it must not be there yet. Only its owner may use it. */
  openToAppend(path: string, create: boolean): Promise<OpenFile>
  /** Undefined when there is no such file. Synchronous: a fence that waits is none. */
  identify(path: string): Identity | undefined
  /** Gives a file a second name, which must not be there yet. */
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Removes a file or a whole folder, if it is there. */
  remove(path: string): Promise<void>
  /** Makes the folder and those above it, for its owner only; leaves those that exist as they are. */
  makeFolder(path: string): Promise<void>
  /** The names in a folder, in order; none when there is no such folder. */
  list(path: string): Promise<readonly string[]>
  /** The names in the folder are on disk as they are now. */
  syncFolder(path: string): Promise<void>
}

const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** Whose files are made. */
interface Holder {
  readonly uid: number
  readonly gid: number
}

/** The real file system. */
export const nodeFiles: Files = filesOf(undefined)

/**
 * The real file system; what is made belongs to the owner of the data folder, if there is one yet, also when root makes it: a
 * file that the service may not read would keep it from starting.
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

function filesOf(holder: Holder | undefined): Files {
  return {
    openToRead: async (path) => new NodeFile(await open(path, 'r')),
    async openToAppend(path, create) {
      const handle = await open(path, create ? 'ax' : 'a', OWNER_ONLY_FILE)
      if (create) await settle(handle, OWNER_ONLY_FILE, holder)
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
      const made = await open(path, 'r')
      try {
        await settle(made, OWNER_ONLY_FOLDER, holder)
      } finally {
        await made.close()
      }
    },
    async list(path) {
      try {
        return (await readdir(path)).sort()
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return []
        throw error
      }
    },
    async syncFolder(path) {
      const folder = await open(path, 'r')
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    },
  }
}

/** A umask may only take rights away, and it could take the owner's own. Only root may give a file away. */
async function settle(made: FileHandle, mode: number, holder: Holder | undefined): Promise<void> {
  await made.chmod(mode)
  if (holder === undefined || (await made.stat()).uid === holder.uid) return
  await made.chown(holder.uid, holder.gid).catch((error: unknown) => {
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

/** A small file as text. */
export async function readAll(files: Files, path: string): Promise<string> {
  const file = await files.openToRead(path)
  try {
    const bytes = Buffer.alloc(file.identity().size)
    return bytes.toString('utf8', 0, await file.read(bytes, 0))
  } finally {
    await file.close()
  }
}

/** The same files, with every flush counted. */
export function countingFlushes(files: Files, flushes: { count: number }): Files {
  const counting = (file: OpenFile): OpenFile => ({
    read: (buffer, position) => file.read(buffer, position),
    readNow: (buffer, position) => file.readNow(buffer, position),
    append: (bytes) => file.append(bytes),
    truncate: (size) => file.truncate(size),
    datasync() {
      flushes.count++
      return file.datasync()
    },
    identity: () => file.identity(),
    close: () => file.close(),
  })
  return {
    openToRead: (path) => files.openToRead(path),
    openToAppend: async (path, create) => counting(await files.openToAppend(path, create)),
    identify: (path) => files.identify(path),
    link: (from, to) => files.link(from, to),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    makeFolder: (path) => files.makeFolder(path),
    list: (path) => files.list(path),
    syncFolder: (path) => files.syncFolder(path),
  }
}
