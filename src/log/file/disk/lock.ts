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
  held(): boolean
  release(): Promise<void>
}

const LOCK = 'lock'
const OWNER_ONLY = 0o600
const ATTEMPTS = 5
/** What `link` fails with where there are none. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * One process per data folder. The lock is a socket on which its holder listens: the system closes it when the
 * process dies, however it dies, and keeps it while the process is merely stopped, so that neither a process id that
 * is used again nor a clock can mislead. It works between containers that share the folder. The process id is only for
 * the error of a second process.
 */
export async function lockFolder(folder: string, pid?: number): Promise<Lock> {
  refuseWindows(platform())
  const path = join(folder, LOCK)
  const note = join(folder, 'lock.json')
  // The name a server listened on is removed when it closes, even if another server has it by then; so it listens on its own.
  const name = `lock-${randomUUID()}`
  const own = join(folder, name)
  const server = await withSocketPath(folder, name, listen).catch((error: unknown) => {
    throw ofFolder(error, folder)
  })
  // Not of `lock`, once it is linked: another process that found the same dead one may have put its own there by then.
  const inode = nodeFiles.identify(own)?.inode
  try {
    await chmod(own, OWNER_ONLY)
    await giveToOwner(own, folder)
    await take(own, folder, note)
    // The note is for people; a full disk may refuse it and still be written to later.
    await writeNote(note, folder, pid).catch(() => undefined)
  } catch (error) {
    await closed(server)
    throw error
  } finally {
    await rm(own, { force: true })
  }
  const held = () => inode !== undefined && nodeFiles.identify(path)?.inode === inode
  return {
    held,
    async release() {
      if (held()) {
        await rm(note, { force: true })
        await rm(path, { force: true })
      }
      await closed(server)
    },
  }
}

/** Its sockets lie in no folder, and two processes could take the same one. */
export function refuseWindows(system: NodeJS.Platform): void {
  if (system === 'win32')
    throw new OpenError(
      'On Windows a data folder cannot be locked. Run Loregraph in WSL 2 or in a container, or keep the data in PostgreSQL.',
      EXIT_BROKEN,
    )
}

/** What root makes in the folder of somebody else is for that user to read and to remove. */
async function giveToOwner(path: string, folder: string): Promise<void> {
  const [made, { uid, gid }] = await Promise.all([stat(path), stat(folder)])
  if (made.uid !== uid) await chown(path, uid, gid).catch(() => undefined)
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

async function take(own: string, folder: string, note: string): Promise<void> {
  const path = join(folder, LOCK)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await link(own, path)
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

/** The system takes no longer path of a socket, and Node would cut it off without a word. */
const IS_LINUX = platform() === 'linux'
const LONGEST_PATH = IS_LINUX ? 107 : 103

/** Calls `use` with a path to a socket in the folder that is short enough, however long the path of the folder is. */
async function withSocketPath<T>(
  folder: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= LONGEST_PATH) return use(path)
  if (!IS_LINUX) {
    const longest = LONGEST_PATH - Buffer.byteLength(join('/', name))
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

/** The same error as one of the folder: what cannot be listened on is no port. */
function ofFolder(error: unknown, folder: string): unknown {
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
      // One that this user may not ask may well be held.
      socket.once('error', (error) => resolve(BUSY.has(errorCode(error) ?? '')))
    })
  return withSocketPath(folder, LOCK, ask)
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Throws unless this process still owns the data folder. */
export type Fence = () => void

export function fenceOf(folder: string, lock: Lock | undefined): Fence {
  return () => {
    if (lock === undefined) throw new Fatal('The data folder is not ours to write to.')
    if (!lock.held()) throw new Fatal(whyLost(folder))
  }
}

function whyLost(folder: string): string {
  if (nodeFiles.identify(folder) === undefined)
    return `The data folder ${folder} is gone: it was moved away or removed.`
  if (nodeFiles.identify(join(folder, LOCK)) === undefined)
    return `The lock in the data folder ${folder} was removed, so that another process may take it over.`
  return 'Another process has taken over the data folder.'
}
