import type { Encoding } from '../pipeline/exchange.js'
import { compress } from '../response/compress.js'
import { madeOnce } from './made-once.js'
import type { Page } from './page.js'

/** The text of each built file, by its path within the folder. */
export type BuiltFiles = ReadonlyMap<string, string>

/** Undefined as long as nothing has been built. */
export type ReadFiles = () => Promise<BuiltFiles | undefined>

/** Built files, read when one is first asked for and kept from then on, each encoding made once. */
export class KeptFiles {
  readonly #read: ReadFiles
  readonly #encoded = new Map<string, () => Promise<Buffer>>()
  #kept: Promise<BuiltFiles | undefined> | undefined

  constructor(read: ReadFiles) {
    this.#read = read
  }

  async all(): Promise<BuiltFiles | undefined> {
    this.#kept ??= this.#read()
    const found = await this.#kept.catch((error: unknown) => {
      this.#kept = undefined
      throw error
    })
    if (found === undefined) this.#kept = undefined
    return found
  }

  /** The page of the file `name` as the client wants it. */
  async inEncoding(name: string, made: Page, encoding: Encoding): Promise<Page> {
    const headers = { ...made.headers, Vary: 'Accept-Encoding' }
    const key = `${encoding} ${name}`
    const bytes = this.#encoded.get(key) ?? madeOnce(() => encoded(encoding, String(made.content)))
    this.#encoded.set(key, bytes)
    const own = encoding === 'identity' ? headers : { ...headers, 'Content-Encoding': encoding }
    return { ...made, headers: own, content: await bytes() }
  }
}

/** The same bytes for all who ask: of a text, each answer that waits for its client would be a copy. */
async function encoded(encoding: Encoding, text: string): Promise<Buffer> {
  return encoding === 'identity' ? Buffer.from(text) : compress(encoding, text)
}
