import type { Files, OpenFile } from './files.js'

/** The same files, with every flush counted. */
export function countingFlushes(files: Files, flushes: { count: number }): Files {
  const counting = (file: OpenFile): OpenFile => ({
    read: (buffer, position) => file.read(buffer, position),
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
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    makeFolder: (path) => files.makeFolder(path),
    list: (path) => files.list(path),
    syncFolder: (path) => files.syncFolder(path),
  }
}
