import type { Files, OpenFile } from '../../../src/log/file/disk/files.js'

/** The files of a process that is stopped just before its n-th change to the disk, and goes on when it is woken. */
export class PausingFiles {
  readonly files: Files
  /** What it was about to do when it was stopped. */
  stoppedAt: string | undefined
  readonly stopped: Promise<void>
  #stop: () => void = () => undefined
  #wake: () => void = () => undefined
  readonly #woken = new Promise<void>((resolve) => {
    this.#wake = resolve
  })
  #left: number | undefined

  constructor(files: Files) {
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve
    })
    const change = async <T>(what: string, make: () => Promise<T>): Promise<T> => {
      await this.#turn(what)
      return make()
    }
    const changing = (file: OpenFile, path: string): OpenFile => ({
      read: (buffer, position) => file.read(buffer, position),
      readNow: (buffer, position) => file.readNow(buffer, position),
      append: (bytes) => change(`append ${path}`, () => file.append(bytes)),
      truncate: (size) => change(`truncate ${path}`, () => file.truncate(size)),
      datasync: () => change(`datasync ${path}`, () => file.datasync()),
      identity: () => file.identity(),
      close: () => file.close(),
    })
    this.files = {
      openToRead: (path) => files.openToRead(path),
      openToAppend: async (path, create) =>
        changing(await change(`open ${path}`, () => files.openToAppend(path, create)), path),
      identify: (path) => files.identify(path),
      link: (from, to) => change(`link ${to}`, () => files.link(from, to)),
      rename: (from, to) => change(`rename ${to}`, () => files.rename(from, to)),
      remove: (path) => change(`remove ${path}`, () => files.remove(path)),
      makeFolder: (path) => change(`mkdir ${path}`, () => files.makeFolder(path)),
      list: (path) => files.list(path),
      syncFolder: (path) => change(`sync ${path}`, () => files.syncFolder(path)),
    }
  }

  /** From now on, the n-th change and all after it wait. */
  stopBefore(nth: number): void {
    this.#left = nth
  }

  wake(): void {
    this.#left = undefined
    this.#wake()
  }

  async #turn(what: string): Promise<void> {
    if (this.#left === undefined) return
    if (this.#left > 1) {
      this.#left--
      return
    }
    this.stoppedAt ??= what
    this.#stop()
    await this.#woken
  }
}
