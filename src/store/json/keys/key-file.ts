import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Adapter, Low } from 'lowdb'
import { graphsWithin, type Key, type KeyId, keyNotFound } from '../../../domain/keys.js'
import { pageOf } from '../../../domain/page.js'
import type { KeyStore } from '../../key-store.js'
import { replaceFile } from '../disk/durable.js'
import { Broken, toFailure } from '../disk/errors.js'
import { type Files, type OpenFile, readAll } from '../disk/files.js'
import type { StoreHealth } from '../disk/health.js'
import { latest, numbered, numberIn } from '../disk/numbered.js'

const KEYS_FORMAT = 1
const STEM = 'keys'
const END = '.json'

/** A key as it is written down. */
interface KeptKey extends Key {
  /** SHA-256 of its secret, hexadecimal. */
  readonly secretHash: string
}

/** Opens the keys of a data folder, which are all in memory; a file that is damaged is refused. */
export async function openKeys(
  files: Files,
  folder: string,
  owner: () => number,
  health: StoreHealth,
): Promise<KeyStore> {
  const low = new Low<readonly KeptKey[]>(new KeyFile(files, folder, owner), [])
  await low.read()
  let byHash = hashed(low.data)
  let turn: Promise<unknown> = Promise.resolve()

  /** One change after the other; in memory only once it is on disk. */
  function change(make: (keys: readonly KeptKey[]) => readonly KeptKey[]): Promise<void> {
    const changed = turn.then(async () => {
      health.refuseUnlessWritable()
      const before = low.data
      low.data = make(before)
      try {
        await low.write()
      } catch (error) {
        low.data = before
        health.failed(error)
        throw toFailure(error)
      }
      byHash = hashed(low.data)
    })
    turn = changed.catch(() => undefined)
    return changed
  }

  function find(keyId: KeyId): KeptKey {
    const key = low.data.find((key) => key.keyId === keyId)
    if (key === undefined) throw keyNotFound(keyId)
    return key
  }

  return {
    add: (key, secretHash) => change((keys) => [...keys, { ...key, secretHash }]),
    async list(reach, paging) {
      health.refuseIfClosed()
      const page = pageOf(
        low.data.filter(({ graphs }) => graphsWithin(graphs, reach)),
        paging,
      )
      return { ...page, items: page.items.map(toKey) }
    },
    async get(keyId) {
      health.refuseIfClosed()
      return toKey(find(keyId))
    },
    remove: (keyId) =>
      change((keys) => {
        const gone = find(keyId)
        return keys.filter((key) => key !== gone)
      }),
    async find(secretHash) {
      health.refuseIfClosed()
      const key = byHash.get(secretHash)
      return key && toKey(key)
    },
  }
}

/** What lowdb reads and writes the keys through: one JSON document with a checksum, replaced in one step. */
export class KeyFile implements Adapter<readonly KeptKey[]> {
  readonly #files: Files
  readonly #folder: string
  readonly #owner: () => number

  /** `owner` gives the number of the owner that writes. */
  constructor(files: Files, folder: string, owner: () => number = () => 0) {
    this.#files = files
    this.#folder = folder
    this.#owner = owner
  }

  /** The keys as the last owner that changed them left them. */
  async read(): Promise<readonly KeptKey[] | null> {
    const last = await latest(this.#files, this.#folder, STEM, END)
    if (last === undefined) return null
    const path = this.#path(last)
    const text = await readAll(this.#files, path)
    const { format, keys } = parsed(text, path)
    if (typeof format === 'number' && format > KEYS_FORMAT)
      throw new Broken(
        path,
        0,
        `its format is ${format} and this program knows ${KEYS_FORMAT}: a newer Loregraph wrote it`,
      )
    // What is in it is what we wrote if writing it again gives the same text.
    if (!Array.isArray(keys) || encode(keys as KeptKey[]) !== text)
      throw new Broken(path, 0, 'it does not match its checksum')
    return keys as KeptKey[]
  }

  async write(keys: readonly KeptKey[]): Promise<void> {
    const own = this.#owner()
    const put = (file: OpenFile) => file.append(Buffer.from(encode(keys)))
    await replaceFile(this.#files, this.#path(own), put)
    // Those of former owners are not read any more; one that cannot be removed does no harm.
    for (const name of await this.#files.list(this.#folder).catch(() => [])) {
      const owner = numberIn(name, STEM, END)
      if (owner !== undefined && owner < own)
        await this.#files.remove(join(this.#folder, name)).catch(() => undefined)
    }
  }

  #path(owner: number): string {
    return join(this.#folder, numbered(STEM, owner, END))
  }
}

function parsed(text: string, path: string): { format?: unknown; keys?: unknown } {
  try {
    const document: unknown = JSON.parse(text)
    return typeof document === 'object' && document !== null ? document : {}
  } catch {
    throw new Broken(path, 0, 'it is not JSON')
  }
}

function encode(keys: readonly KeptKey[]): string {
  const sum = crc32(JSON.stringify(keys)).toString(16).padStart(8, '0')
  return `${JSON.stringify({ format: KEYS_FORMAT, crc32: sum, keys }, null, 2)}\n`
}

function hashed(keys: readonly KeptKey[]): ReadonlyMap<string, KeptKey> {
  return new Map(keys.map((key) => [key.secretHash, key]))
}

function toKey({ secretHash: _, ...key }: KeptKey): Key {
  return key
}
