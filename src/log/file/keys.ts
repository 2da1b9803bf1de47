import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Adapter, Low } from 'lowdb'
import { firstMaker, graphsWithin, type Key, refuseToAdd } from '../../domain/keys.js'
import { pageOf } from '../../domain/page.js'
import type { KeyStore } from '../../store/key-store.js'
import { replaceFile } from './disk/durable.js'
import { Broken, toFailure } from './disk/errors.js'
import { type Files, type OpenFile, readAll } from './disk/files.js'
import type { StoreHealth } from './disk/health.js'
import { latestNumber, numberedName, numberIn } from './disk/numbered.js'
import { Queue } from './disk/queue.js'

const KEYS_FORMAT = 1
const STEM = 'keys'
const END = '.json'

/** A key as it is stored. */
interface StoredKey extends Key {
  /** SHA-256 of its secret, hexadecimal. */
  readonly secretHash: string
}

/** Opens the keys of a data folder, and keeps them all in memory. Rejects if the file is damaged. */
export async function openKeys(
  files: Files,
  folder: string,
  owner: () => number,
  health: StoreHealth,
): Promise<KeyStore> {
  const low = new Low<readonly StoredKey[]>(new KeyFile(files, folder, owner), [])
  await low.read()
  let keys = low.data
  const byHash = new Map(keys.map((key) => [key.secretHash, key]))
  const waiting: Change[] = []
  const writes = new Queue()

  /** Makes a change, which takes effect in memory once it is on disk. Those that arrive during a write share the next one. */
  function change(make: Change['make']): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ make, resolve, reject })
      if (waiting.length === 1) void writes.run(writeWaiting)
    })
  }

  async function writeWaiting(): Promise<void> {
    const changes = waiting.splice(0)
    const accepted: Change[] = []
    try {
      health.refuseUnlessWritable()
      low.data = keys
      for (const change of changes)
        try {
          low.data = change.make(low.data)
          accepted.push(change)
        } catch (error) {
          change.reject(error)
        }
      if (accepted.length > 0) await save()
      for (const { resolve } of accepted) resolve()
    } catch (error) {
      for (const { reject } of changes) reject(error)
    }
  }

  async function save(): Promise<void> {
    try {
      await low.write()
    } catch (error) {
      health.noteFailure(error)
      throw toFailure(error)
    }
    keys = low.data
  }

  return {
    async add(key, secretHash) {
      const stored = { ...key, secretHash }
      await change((keys) => {
        const first = firstMaker(key)
        const maker = key.makers?.at(-1)
        if (first !== undefined)
          refuseToAdd(
            keys.some(({ keyId }) => keyId === maker),
            keys.filter(({ makers }) => makers?.includes(first)).length,
          )
        return [...keys, stored]
      })
      byHash.set(secretHash, stored)
    },
    async list(reach, paging) {
      health.refuseIfClosed()
      const page = pageOf(
        keys.filter(({ graphs }) => graphsWithin(graphs, reach)),
        paging,
      )
      return { ...page, items: page.items.map(toKey) }
    },
    async remove(keyId, choose) {
      let removed: readonly StoredKey[] = []
      await change((keys) => {
        const family = keys.filter((key) => key.keyId === keyId || key.makers?.includes(keyId))
        const chosen = new Set(choose(family.map(toKey)).map((key) => key.keyId))
        removed = family.filter((key) => chosen.has(key.keyId))
        return keys.filter((key) => !chosen.has(key.keyId))
      })
      for (const { secretHash } of removed) byHash.delete(secretHash)
      return removed.map(toKey)
    },
    async find(secretHash) {
      health.refuseIfClosed()
      const key = byHash.get(secretHash)
      return key && toKey(key)
    },
  }
}

/** A change that waits to be written. */
interface Change {
  readonly make: (keys: readonly StoredKey[]) => readonly StoredKey[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The lowdb adapter for keys: one JSON document with a checksum, replaced atomically. */
export class KeyFile implements Adapter<readonly StoredKey[]> {
  readonly #files: Files
  readonly #folder: string
  readonly #owner: () => number
  #last = NO_KEYS

  /** `owner` returns the number of the owner of the data folder. */
  constructor(files: Files, folder: string, owner: () => number = () => 0) {
    this.#files = files
    this.#folder = folder
    this.#owner = owner
  }

  /** Reads the file of the last owner that changed keys. */
  async read(): Promise<readonly StoredKey[] | null> {
    const last = await latestNumber(this.#files, this.#folder, STEM, END)
    if (last === undefined) return null
    const path = this.#path(last)
    const text = await readAll(this.#files, path)
    const { format, keys } = parse(text, path)
    if (typeof format === 'number' && format > KEYS_FORMAT)
      throw new Broken(
        path,
        0,
        `its format is ${format} and this program knows ${KEYS_FORMAT}: a newer Loregraph wrote it`,
      )
    // The content is valid if encoding it again gives the same text.
    if (!Array.isArray(keys) || fileOf(encode(keys as StoredKey[])).toString() !== text)
      throw new Broken(path, 0, 'it does not match its checksum')
    return keys as StoredKey[]
  }

  async write(keys: readonly StoredKey[]): Promise<void> {
    const owner = this.#owner()
    this.#last = encode(keys, this.#last)
    const whole = fileOf(this.#last)
    const put = (file: OpenFile) => file.append(whole)
    await replaceFile(this.#files, this.#path(owner), put)
    // Files of former owners are no longer read, so one that cannot be removed does no harm.
    for (const name of await this.#files.list(this.#folder).catch(() => [])) {
      const former = numberIn(name, STEM, END)
      if (former !== undefined && former < owner)
        await this.#files.remove(join(this.#folder, name)).catch(() => undefined)
    }
  }

  #path(owner: number): string {
    return join(this.#folder, numberedName(STEM, owner, END))
  }
}

function parse(text: string, path: string): { format?: unknown; keys?: unknown } {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null ? document : {}
  } catch {
    throw new Broken(path, 0, 'it is not JSON')
  }
}

/** Encoded keys, to which further keys can be added without encoding the others again. */
interface Encoded {
  readonly keys: readonly StoredKey[]
  /** The checksum of their JSON without white space and without the closing bracket. */
  readonly crc: number
  /** Their JSON as formatted in the file. */
  readonly text: string
}

const NO_KEYS: Encoded = { keys: [], crc: crc32('['), text: '' }

function encode(keys: readonly StoredKey[], previous = NO_KEYS): Encoded {
  const start = previous.keys.every((key, i) => key === keys[i]) ? previous : NO_KEYS
  let { crc, text } = start
  for (const key of keys.slice(start.keys.length)) {
    crc = crc32((text === '' ? '' : ',') + JSON.stringify(key), crc)
    text += (text === '' ? '\n' : ',\n') + JSON.stringify(key, null, 2).replaceAll(/^/gm, '    ')
  }
  return { keys, crc, text }
}

/** Equal to `JSON.stringify` of the whole document with two spaces, but reuses the text of the keys. */
function fileOf({ crc, text }: Encoded): Buffer {
  const sum = crc32(']', crc).toString(16).padStart(8, '0')
  const head = `{\n  "format": ${KEYS_FORMAT},\n  "crc32": "${sum}",\n  "keys": [`
  const tail = text === '' ? ']\n}\n' : '\n  ]\n}\n'
  return Buffer.concat([Buffer.from(head), Buffer.from(text), Buffer.from(tail)])
}

function toKey({ secretHash: _, ...key }: StoredKey): Key {
  return key
}
