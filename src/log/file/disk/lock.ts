import { randomUUID } from 'node:crypto'
import { chmod, chown, link, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../../domain/failure.js'
import { EXIT_BROKEN, EXIT_IN_USE, OpenError } from '../../../store/open-error.js'
import { Fatal } from './errors.js'
import { nodeFiles } from './files.js'

export interface Lock {
  /** False once another process has taken the folder, or the lock was removed. */
  isHeld(): boolean
  release(): Promise<void>
}

const LOCK = 'lock'
const OWNER_ONLY = 0o600
const ATTEMPTS = 5
/** Errors of `link` on file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * Locks a data folder for one process. The lock is a socket on which the process listens: the system closes it when the
 * process dies, and keeps it while the process is stopped, so the lock depends neither on reused process ids nor on clocks.
 * It works between containers that share the folder. `pid` is only shown in the error of a second process.
 */
export async function lockFolder(folder: string, pid?: number): Promise<Lock> {
  refuseWindows(platform())
  const path = join(folder, LOCK)
  const note = join(folder, 'lock.json')
  // Closing a server removes the path it listened on, even if it belongs to another server by then. So each uses its own path.
  const name = `lock-${randomUUID()}`
  const socketPath = join(folder, name)
  const server = await withSocketPath(folder, name, listen).catch((error: unknown) => {
    throw asFolderError(error, folder)
  })
  // Read before linking: another process may replace `lock` right after, if both found the same dead lock.
  const inode = nodeFiles.identify(socketPath)?.inode
  try {
    await chmod(socketPath, OWNER_ONLY)
    await giveToOwner(socketPath, folder)
    await linkLock(socketPath, folder, note)
    // The note is only for people. Writing it may fail on a full disk, which is no reason not to start.
    await writeNote(note, folder, pid).catch(() => undefined)
  } catch (error) {
    await closeServer(server)
    throw error
  } finally {
    await rm(socketPath, { force: true })
  }
  const isHeld = () => inode !== undefined && nodeFiles.identify(path)?.inode === inode
  return {
    isHeld,
    async release() {
      if (isHeld()) {
        await rm(note, { force: true })
        await rm(path, { force: true })
      }
      await closeServer(server)
    },
  }
}

/** On Windows, sockets are not in the file system, so two processes could lock the same folder. */
export function refuseWindows(system: NodeJS.Platform): void {
  if (system === 'win32')
    throw new OpenError(
      'On Windows a data folder cannot be locked. Run Loregraph in WSL 2 or in a container, or keep the data in PostgreSQL.',
      EXIT_BROKEN,
    )
}

/** If root created the file, gives it to the owner of the folder, who must be able to read and remove it. */
async function giveToOwner(path: string, folder: string): Promise<void> {
  const [file, { uid, gid }] = await Promise.all([stat(path), stat(folder)])
  if (file.uid !== uid) await chown(path, uid, gid).catch(() => undefined)
}

async function writeNote(note: string, folder: string, pid: number | undefined): Promise<void> {
  await rm(note, { force: true })
  await writeFile(note, JSON.stringify({ pid }), { mode: OWNER_ONLY })
  await chmod(note, OWNER_ONLY)
  await giveToOwner(note, folder)
}

/** Is some process using the folder? */
export async function isLocked(folder: string): Promise<boolean> {
  return nodeFiles.identify(join(folder, LOCK)) !== undefined && (await isAnswered(folder))
}

async function linkLock(socketPath: string, folder: string, note: string): Promise<void> {
  const path = join(folder, LOCK)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await link(socketPath, path)
      return
    } catch (error) {
      const code = errorCode(error) ?? ''
      if (NO_LINKS.has(code))
        throw new OpenError(
          `The file system of the data folder has no hard links, which its lock needs. Choose another folder. (${code})`,
          EXIT_BROKEN,
          { cause: error },
        )
      if (code !== 'EEXIST') throw error
    }
    if (await isAnswered(folder)) throw new OpenError(await inUse(note), EXIT_IN_USE)
    await rm(path, { force: true })
  }
  throw new OpenError(await inUse(note), EXIT_IN_USE)
}

async function inUse(note: string): Promise<string> {
  const text = await readFile(note, 'utf8').catch(() => '')
  const pid = /"pid":(\d+)/.exec(text)?.[1] ?? 'unknown'
  return `Another Loregraph (process ${pid}) is using this data folder. Stop it, or choose another folder.`
}

/** The system's limit for the path of a socket. Node truncates longer paths without an error. */
const IS_LINUX = platform() === 'linux'
const MAX_PATH_BYTES = IS_LINUX ? 107 : 103

/** Calls `use` with a path for a socket in the folder that is within the system's limit. */
async function withSocketPath<T>(
  folder: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path)
  if (!IS_LINUX) {
    const longest = MAX_PATH_BYTES - Buffer.byteLength(join('/', name))
    throw new OpenError(
      `The path of the data folder is longer than ${longest} bytes, which this system does not take. Choose another.`,
      EXIT_BROKEN,
    )
  }
  const opened = await open(folder)
  try {
    return await use(`/proc/self/fd/${opened.fd}/${name}`)
  } finally {
    await opened.close()
  }
}

/** Rewords an error of `listen`, which would be reported as an error of a port. */
function asFolderError(error: unknown, folder: string): unknown {
  const code = errorCode(error)
  if (code === undefined || error instanceof OpenError) return error
  const cause = error instanceof Error ? error.message : code
  return Object.assign(new Error(`The data folder cannot be locked: ${cause}`, { cause: error }), {
    code,
    path: folder,
  })
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(path, () => resolve(server.unref()))
  })
}

const BUSY = new Set(['EAGAIN', 'EACCES', 'EPERM'])

function isAnswered(folder: string): Promise<boolean> {
  const ask = (path: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(path)
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      // A lock that this user may not connect to may be held.
      socket.once('error', (error) => resolve(BUSY.has(errorCode(error) ?? '')))
    })
  return withSocketPath(folder, LOCK, ask)
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Throws unless this process still owns the data folder. */
export type Fence = () => void

export function fenceOf(folder: string, lock: Lock | undefined): Fence {
  return () => {
    if (lock === undefined) throw new Fatal('The data folder is not ours to write to.')
    if (!lock.isHeld()) throw new Fatal(whyLost(folder))
  }
}

function whyLost(folder: string): string {
  if (nodeFiles.identify(folder) === undefined)
    return `The data folder ${folder} is gone: it was moved away or removed.`
  if (nodeFiles.identify(join(folder, LOCK)) === undefined)
    return `The lock in the data folder ${folder} was removed, so that another process may take it over.`
  return 'Another process has taken over the data folder.'
}
