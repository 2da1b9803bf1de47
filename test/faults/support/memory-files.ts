import { dirname } from 'node:path'
import type { Files, Identity, OpenFile } from '../../../src/log/file/disk/files.js'

/** A change to a file that the disk may or may not have seen. */
type Change = { readonly at: number; readonly bytes: Buffer } | { readonly size: number }

interface Inode {
  readonly number: number
  data: Buffer
  /** What is certainly on disk, and what came after it. */
  synced: Buffer
  pending: Change[]
}

/** A change to the names in a folder. */
type Naming =
  | { readonly folder: string; readonly link: string; readonly inode: Inode }
  | { readonly folder: string; readonly unlink: string }
  | { readonly folder: string; readonly from: string; readonly to: string }
  | { readonly folder: string; readonly make: string }

interface Names {
  readonly files: Map<string, Inode>
  readonly folders: Set<string>
}

export class DiskError extends Error {
  readonly code: string

  constructor(code: string, what: string) {
    super(`${code}: ${what}`)
    this.code = code
  }
}

/**
 * A file system in memory that knows what a power cut may leave: synced bytes for certain, any part of the rest, by
 * sectors of 512 bytes; and any of the changes to names that were not flushed, in any order.
 */
export class MemoryFiles implements Files {
  names: Names
  synced: Names
  namings: Naming[]
  #next = 1
  /** Files that are open now. */
  open = 0
  /** Called before each operation with its name and path; may throw in its place. */
  before: (operation: string, path: string) => void = () => undefined

  constructor(names: Names = { files: new Map(), folders: new Set(['/']) }) {
    this.names = names
    this.synced = { files: new Map(names.files), folders: new Set(names.folders) }
    this.namings = []
    for (const inode of names.files.values()) this.#next = Math.max(this.#next, inode.number + 1)
  }

  async openToRead(path: string): Promise<OpenFile> {
    this.before('open', path)
    return this.#handle(path, this.#inode(path))
  }

  async openToAppend(path: string, create: boolean): Promise<OpenFile> {
    this.before('open', path)
    if (!create) return this.#handle(path, this.#inode(path))
    if (this.names.files.has(path)) throw new DiskError('EEXIST', path)
    if (!this.names.folders.has(dirname(path))) throw new DiskError('ENOENT', path)
    const inode: Inode = { number: this.#next++, data: Buffer.alloc(0), synced: Buffer.alloc(0), pending: [] }
    this.#name({ folder: dirname(path), link: path, inode })
    return this.#handle(path, inode)
  }

  identify(path: string): Identity | undefined {
    const inode = this.names.files.get(path)
    if (inode !== undefined) return identityOf(inode)
    return this.names.folders.has(path) ? { device: 1, inode: 0, size: 0 } : undefined
  }

  async link(from: string, to: string): Promise<void> {
    this.before('link', to)
    const inode = this.#inode(from)
    if (this.names.files.has(to)) throw new DiskError('EEXIST', to)
    this.#name({ folder: dirname(to), link: to, inode })
  }

  async rename(from: string, to: string): Promise<void> {
    this.before('rename', to)
    this.#inode(from)
    this.#name({ folder: dirname(to), from, to })
  }

  async remove(path: string): Promise<void> {
    this.before('remove', path)
    for (const inside of [...this.names.files.keys()].filter((name) => name.startsWith(`${path}/`)))
      this.#name({ folder: dirname(inside), unlink: inside })
    if (this.names.files.has(path) || this.names.folders.has(path))
      this.#name({ folder: dirname(path), unlink: path })
  }

  async makeFolder(path: string): Promise<void> {
    if (this.names.folders.has(path)) return
    if (path !== '/') await this.makeFolder(dirname(path))
    this.before('mkdir', path)
    this.#name({ folder: dirname(path), make: path })
  }

  async list(path: string): Promise<readonly string[]> {
    this.before('list', path)
    const all = [...this.names.files.keys(), ...this.names.folders]
    return all
      .filter((name) => name !== path && dirname(name) === path)
      .map((name) => name.slice(path.length + 1))
      .sort()
  }

  async syncFolder(path: string): Promise<void> {
    this.before('syncFolder', path)
    const ours = this.namings.filter(({ folder }) => folder === path)
    for (const naming of ours) apply(this.synced, naming)
    this.namings = this.namings.filter(({ folder }) => folder !== path)
  }

  /** The bytes of a file, and a way to put others in their place. */
  bytes(path: string): Buffer {
    return this.#inode(path).data
  }

  put(path: string, bytes: Buffer): void {
    const inode = this.#inode(path)
    inode.data = Buffer.from(bytes)
    inode.synced = inode.data
  }

  /** What is there after kill -9: the system goes on, and so does everything that was handed to it. */
  afterKill(): MemoryFiles {
    return new MemoryFiles(copied(this.names, (inode) => inode.data))
  }

  /** One of the states that a power cut may leave. */
  afterPowerCut(random: () => number): MemoryFiles {
    const names = { files: new Map(this.synced.files), folders: new Set(this.synced.folders) }
    const missed = new Set<string>()
    for (const naming of this.namings) {
      const paths = pathsIn(naming)
      if (random() < 0.7 && !paths.some((path) => missed.has(path))) apply(names, naming)
      else for (const path of paths) missed.add(path)
    }
    for (const path of names.folders) if (!isReachable(path, names)) names.folders.delete(path)
    for (const path of names.files.keys()) if (!isReachable(dirname(path), names)) names.files.delete(path)
    return new MemoryFiles(copied(names, (inode) => torn(inode, random)))
  }

  #inode(path: string): Inode {
    const inode = this.names.files.get(path)
    if (inode === undefined) throw new DiskError('ENOENT', path)
    return inode
  }

  #name(naming: Naming): void {
    apply(this.names, naming)
    this.namings.push(naming)
  }

  #handle(path: string, inode: Inode): OpenFile {
    this.open++
    let closed = false
    return {
      read: async (buffer, position) => {
        this.before('read', path)
        return inode.data.copy(buffer, 0, position, position + buffer.length)
      },
      readNow: (buffer, position) => {
        this.before('read', path)
        return inode.data.copy(buffer, 0, position, position + buffer.length)
      },
      append: async (bytes) => {
        const copy = Buffer.from(bytes)
        const write = (part: Buffer) => {
          inode.pending.push({ at: inode.data.length, bytes: part })
          inode.data = Buffer.concat([inode.data, part])
        }
        try {
          this.before('append', path)
        } catch (error) {
          // A write that fails may have written a part.
          write(copy.subarray(0, copy.length >> 1))
          throw error
        }
        write(copy)
      },
      truncate: async (size) => {
        this.before('truncate', path)
        inode.data = Buffer.from(inode.data.subarray(0, size))
        inode.pending.push({ size })
      },
      datasync: async () => {
        this.before('datasync', path)
        inode.synced = inode.data
        inode.pending = []
      },
      identity: () => identityOf(inode),
      close: async () => {
        if (!closed) this.open--
        closed = true
      },
    }
  }
}

/** The names that a change is about: without it, later changes to the same names did not happen either. */
function pathsIn(naming: Naming): string[] {
  if ('link' in naming) return [naming.link]
  if ('make' in naming) return [naming.make]
  return 'unlink' in naming ? [naming.unlink] : [naming.from, naming.to]
}

function isReachable(folder: string, names: Names): boolean {
  return names.folders.has(folder) && (folder === '/' || isReachable(dirname(folder), names))
}

const SECTOR = 512

/** The file with some of its last changes, each sector of them there or not. */
function torn(inode: Inode, random: () => number): Buffer {
  let data = Buffer.from(inode.synced)
  for (const change of inode.pending) {
    if (random() < 0.2) break
    if ('size' in change) {
      data = Buffer.from(data.subarray(0, change.size))
      continue
    }
    const end = change.at + change.bytes.length
    const reach = random() < 0.5 ? end : Math.floor(data.length + random() * Math.max(0, end - data.length))
    const image = Buffer.alloc(Math.max(data.length, reach))
    data.copy(image)
    for (let sector = Math.floor(change.at / SECTOR) * SECTOR; sector < reach; sector += SECTOR) {
      if (random() < 0.3) continue
      const from = Math.max(sector, change.at)
      const to = Math.min(sector + SECTOR, reach)
      if (from < to) change.bytes.copy(image, from, from - change.at, to - change.at)
    }
    data = image
  }
  return data
}

function apply({ files, folders }: Names, naming: Naming): void {
  if ('link' in naming) files.set(naming.link, naming.inode)
  else if ('make' in naming) folders.add(naming.make)
  else if ('unlink' in naming) {
    files.delete(naming.unlink)
    folders.delete(naming.unlink)
  } else {
    const inode = files.get(naming.from)
    if (inode === undefined) return
    files.delete(naming.from)
    files.set(naming.to, inode)
  }
}

function copied({ files, folders }: Names, dataOf: (inode: Inode) => Buffer): Names {
  const copies = new Map<Inode, Inode>()
  const copy = (inode: Inode): Inode => {
    const known = copies.get(inode)
    if (known !== undefined) return known
    const data = Buffer.from(dataOf(inode))
    const made = { number: inode.number, data, synced: data, pending: [] }
    copies.set(inode, made)
    return made
  }
  return {
    files: new Map(Array.from(files, ([path, inode]) => [path, copy(inode)])),
    folders: new Set(folders),
  }
}

function identityOf(inode: Inode): Identity {
  return { device: 1, inode: inode.number, size: inode.data.length }
}
