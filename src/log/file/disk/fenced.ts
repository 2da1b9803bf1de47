import type { Files, OpenFile } from './files.js'
import type { Fence } from './lock.js'

/**
 * The same files for the owner of a data folder: the fence is asked before anything is changed, and again after each
 * flush, so that nothing is acknowledged that was written too late. One change may still be under way when the fence falls;
 * numbered names see to it that it does no harm.
 */
export function fenced(files: Files, fence: Fence): Files {
  const asking = async <T>(change: () => Promise<T>): Promise<T> => {
    fence()
    return change()
  }
  const flushing = async (flush: () => Promise<void>): Promise<void> => {
    await flush()
    fence()
  }
  const fencedFile = (file: OpenFile): OpenFile => ({
    read: (buffer, position) => file.read(buffer, position),
    readNow: (buffer, position) => file.readNow(buffer, position),
    append: (bytes) => asking(() => file.append(bytes)),
    truncate: (size) => asking(() => file.truncate(size)),
    datasync: () => flushing(() => file.datasync()),
    identity: () => file.identity(),
    close: () => file.close(),
  })
  return {
    openToRead: (path) => files.openToRead(path),
    openToAppend: async (path, create) => fencedFile(await asking(() => files.openToAppend(path, create))),
    identify: (path) => files.identify(path),
    link: (from, to) => asking(() => files.link(from, to)),
    rename: (from, to) => asking(() => files.rename(from, to)),
    remove: (path) => asking(() => files.remove(path)),
    makeFolder: (path) => asking(() => files.makeFolder(path)),
    list: (path) => files.list(path),
    syncFolder: (path) => flushing(() => files.syncFolder(path)),
  }
}
