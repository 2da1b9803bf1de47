import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '../../src/log/file-store.js'
import type { Store } from '../../src/store/store.js'
import { SILENT } from '../support/silent.js'

/** Where a run keeps its data. Each has one of its own. */
export interface World {
  readonly store: Store
  restart(): Promise<void>
  crash(): Promise<void>
  end(): Promise<void>
}

/** So small that journals are folded in the middle of a run. */
const COMPACT_BYTES = 2_000

export async function jsonWorld(): Promise<World> {
  const folders: string[] = []
  const abandoned: Store[] = []
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loregraph-model-'))
    folders.push(folder)
    return folder
  }
  const open = (folder: string) =>
    openFileStore({
      folder,
      now: () => new Date(),
      randomBytes,
      log: SILENT,
      compactBytes: COMPACT_BYTES,
    })
  let folder = await newFolder()
  let store = await open(folder)
  return {
    get store() {
      return store
    },
    async restart() {
      await store.close()
      store = await open(folder)
    },
    /** The files as they are at this moment, which is all that a process that is killed leaves behind. */
    async crash() {
      const image = await newFolder()
      await copyImage(folder, image)
      abandoned.push(store)
      folder = image
      store = await open(folder)
    },
    async end() {
      for (const it of [...abandoned, store]) await it.close()
      for (const it of folders) await rm(it, { recursive: true, force: true })
    },
  }
}

/**
 * Only a fold may be under way, which replaces the snapshot before the journal: copied in the order of their names, the
 * journal comes first, and the copy is a state that the disk was in.
 */
async function copyImage(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const entries = await readdir(from, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
    if (entry.isDirectory()) await copyImage(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile() && !entry.name.endsWith('.tmp'))
      await copyFile(join(from, entry.name), join(to, entry.name))
}

/** A store that passes every question on to the one that is open at the time. */
export function standIn(current: () => Store): Store {
  const keys = passOn(() => current().keys)
  // A boundary: what is passed on is as typed as what it is passed on to.
  return new Proxy({} as Store, {
    get: (_, name) => (name === 'keys' ? keys : Reflect.get(passOn(current), name)),
  })
}

function passOn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => {
      const value: unknown = Reflect.get(current(), name)
      return typeof value === 'function' ? value.bind(current()) : value
    },
  })
}
