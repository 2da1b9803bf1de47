import type { Encoding } from '../pipeline/exchange.js'
import { compress } from '../response/compress.js'
import { etagOf } from '../response/etag.js'
import { madeOnce } from './made-once.js'

/** The text of each built file, by its path within the folder. */
export type BuiltFiles = ReadonlyMap<string, string>

/** Reads the built files; undefined as long as nothing has been built. */
export type ReadFiles = () => Promise<BuiltFiles | undefined>

/** Reads built files at the first request and keeps them in memory, in each encoding that was requested. */
export class FileCache {
  readonly #read: ReadFiles
  readonly #contents = new Map<string, () => Promise<Buffer>>()
  #files: Promise<BuiltFiles | undefined> | undefined

  constructor(read: ReadFiles) {
    this.#read = read
  }

  async all(): Promise<BuiltFiles | undefined> {
    this.#files ??= this.#read()
    const files = await this.#files.catch((error: unknown) => {
      this.#files = undefined
      throw error
    })
    if (files === undefined) this.#files = undefined
    return files
  }

  /** The page with its content in the given encoding, cached under `name`. */
  async inEncoding(name: string, page: Page, encoding: Encoding): Promise<Page> {
    const headers: Record<string, string> = { ...page.headers, Vary: 'Accept-Encoding' }
    if (encoding !== 'identity') headers['Content-Encoding'] = encoding
    const key = `${encoding} ${name}`
    const content = this.#contents.get(key) ?? madeOnce(() => encode(encoding, String(page.content)))
    this.#contents.set(key, content)
    return { ...page, headers, content: await content() }
  }
}

/** A buffer also for `identity`: of a string, each answer that waits for its client would hold a copy. */
async function encode(encoding: Encoding, text: string): Promise<Buffer> {
  return encoding === 'identity' ? Buffer.from(text) : compress(encoding, text)
}

/** An answer of a path that is not part of the contract. */
export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | Buffer
}

/** A page that clients may cache but revalidate at each use. */
export function page(type: string, content: string): Page {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: etagOf(content) }
  return { status: 200, headers, content }
}

export function withPolicy(page: Page, policy: string): Page {
  const headers = { ...page.headers, 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }
  return { ...page, headers }
}
