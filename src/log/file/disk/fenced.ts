import type { Files, OpenFile } from './files.js'
import type { Fence } from './lock.js'

/**
 * Wraps files for the owner of a data folder. Checks the fence before each change, and after each flush, so that no write is
 * acknowledged after the folder was lost. One change may still be under way at that moment; it does no harm, since the names
 * of files contain the number of the owner. `onFlush` is called before the content of a file is flushed.
 */
export function withFence(files: Files, fence: Fence, onFlush: () => void): Files {
  const checkBefore = async <T>(change: () => Promise<T>): Promise<T> => {
    fence()
    return change()
  }
  const checkAfter = async (flush: () => Promise<void>): Promise<void> => {
    await flush()
    fence()
  }
  const fencedFile = (file: OpenFile): OpenFile => ({
    read: (buffer, position) => file.read(buffer, position),
    readNow: (buffer, position) => file.readNow(buffer, position),
    append: (bytes) => checkBefore(() => file.append(bytes)),
    truncate: (size) => checkBefore(() => file.truncate(size)),
    datasync() {
      onFlush()
      return checkAfter(() => file.datasync())
    },
    identity: () => file.identity(),
    close: () => file.close(),
  })
  return {
    openToRead: (path) => files.openToRead(path),
    openToAppend: async (path, create) =>
      fencedFile(await checkBefore(() => files.openToAppend(path, create))),
    identify: (path) => files.identify(path),
    link: (from, to) => checkBefore(() => files.link(from, to)),
    rename: (from, to) => checkBefore(() => files.rename(from, to)),
    remove: (path) => checkBefore(() => files.remove(path)),
    makeFolder: (path) => checkBefore(() => files.makeFolder(path)),
    list: (path) => files.list(path),
    syncFolder: (path) => checkAfter(() => files.syncFolder(path)),
  }
}
