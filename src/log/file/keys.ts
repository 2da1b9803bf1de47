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
import { latest, numbered, numberIn } from './disk/numbered.js'

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
  let keys = low.data
  const byHash = new Map(keys.map((key) => [key.secretHash, key]))
  const waiting: Change[] = []
  let isWriting = false

  /** One change after the other; in memory only once it is on disk. */
  function change(make: Change['make']): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ make, resolve, reject })
      if (!isWriting) void work()
    })
  }

  /** What comes while the file is being written shares the next write. */
  async function work(): Promise<void> {
    isWriting = true
    await Promise.resolve()
    while (waiting.length > 0) await write(waiting.splice(0))
    isWriting = false
  }

  async function write(changes: readonly Change[]): Promise<void> {
    const made: Change[] = []
    try {
      health.refuseUnlessWritable()
      low.data = keys
      for (const change of changes)
        try {
          low.data = change.make(low.data)
          made.push(change)
        } catch (error) {
          change.reject(error)
        }
      if (made.length > 0) await saved()
      for (const { resolve } of made) resolve()
    } catch (error) {
      for (const { reject } of changes) reject(error)
    }
  }

  async function saved(): Promise<void> {
    try {
      await low.write()
    } catch (error) {
      health.failed(error)
      throw toFailure(error)
    }
    keys = low.data
  }

  return {
    async add(key, secretHash) {
      const kept = { ...key, secretHash }
      await change((keys) => {
        const first = firstMaker(key)
        const maker = key.makers?.at(-1)
        if (first !== undefined)
          refuseToAdd(
            keys.some(({ keyId }) => keyId === maker),
            keys.filter(({ makers }) => makers?.includes(first)).length,
          )
        return [...keys, kept]
      })
      byHash.set(secretHash, kept)
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
      let gone: readonly KeptKey[] = []
      await change((keys) => {
        const family = keys.filter((key) => key.keyId === keyId || key.makers?.includes(keyId))
        const chosen = new Set(choose(family.map(toKey)).map((key) => key.keyId))
        gone = family.filter((key) => chosen.has(key.keyId))
        return keys.filter((key) => !chosen.has(key.keyId))
      })
      for (const { secretHash } of gone) byHash.delete(secretHash)
      return gone.map(toKey)
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
  readonly make: (keys: readonly KeptKey[]) => readonly KeptKey[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** What lowdb reads and writes the keys through: one JSON document with a checksum, replaced in one step. */
export class KeyFile implements Adapter<readonly KeptKey[]> {
  readonly #files: Files
  readonly #folder: string
  readonly #owner: () => number
  #last = NO_KEYS

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
    if (!Array.isArray(keys) || fileOf(encoded(keys as KeptKey[])).toString() !== text)
      throw new Broken(path, 0, 'it does not match its checksum')
    return keys as KeptKey[]
  }

  async write(keys: readonly KeptKey[]): Promise<void> {
    const own = this.#owner()
    this.#last = encoded(keys, this.#last)
    const whole = fileOf(this.#last)
    const put = (file: OpenFile) => file.append(whole)
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

/** Keys as text, so that those that are added later cost no more for it. */
interface Encoded {
  readonly keys: readonly KeptKey[]
  /** The checksum of their JSON without white space, but for the last bracket. */
  readonly crc: number
  /** Their JSON as it stands in the file. */
  readonly text: string
}

const NO_KEYS: Encoded = { keys: [], crc: crc32('['), text: '' }

function encoded(keys: readonly KeptKey[], before = NO_KEYS): Encoded {
  const begin = before.keys.every((key, i) => key === keys[i]) ? before : NO_KEYS
  let { crc, text } = begin
  for (const key of keys.slice(begin.keys.length)) {
    crc = crc32((text === '' ? '' : ',') + JSON.stringify(key), crc)
    text += (text === '' ? '\n' : ',\n') + JSON.stringify(key, null, 2).replaceAll(/^/gm, '    ')
  }
  return { keys, crc, text }
}

/** The same as `JSON.stringify` makes of the whole, with two spaces. The text of the keys is not put together anew for it. */
function fileOf({ crc, text }: Encoded): Buffer {
  const sum = crc32(']', crc).toString(16).padStart(8, '0')
  const head = `{\n  "format": ${KEYS_FORMAT},\n  "crc32": "${sum}",\n  "keys": [`
  const tail = text === '' ? ']\n}\n' : '\n  ]\n}\n'
  return Buffer.concat([Buffer.from(head), Buffer.from(text), Buffer.from(tail)])
}

function toKey({ secretHash: _, ...key }: KeptKey): Key {
  return key
}
