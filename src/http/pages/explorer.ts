import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { compress } from '../response/compress.js'
import { type Page, page } from './page.js'

/** The built explorer: each file by its path, such as `index.html` and `assets/main-1a2b.js`. */
export type ExplorerFiles = ReadonlyMap<string, string>

/** Undefined as long as it has not been built. */
export type ReadExplorer = () => Promise<ExplorerFiles | undefined>

/** Where the files with hashed names are served. */
export const ASSETS = '/explorer/assets/'

/** Its own files and its own service, nothing inline, and no text that becomes markup or code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}

export interface Explorer {
  /** The page itself. */
  index(encoding: Encoding): Promise<Page>
  /** A file with a hashed name, which is the same for ever. */
  asset(path: string, encoding: Encoding): Promise<Page>
}

/** The explorer, read when it is first asked for and kept from then on, each encoding made once. */
export function explorerPages(read: ReadExplorer): Explorer {
  let kept: Promise<ExplorerFiles | undefined> | undefined
  const encoded = new Map<string, Promise<Buffer>>()
  const files = async () => {
    kept ??= read()
    const found = await kept
    if (found === undefined) kept = undefined
    return found
  }
  const inEncoding = async (path: string, made: Page, encoding: Encoding): Promise<Page> => {
    const headers = { ...made.headers, Vary: 'Accept-Encoding' }
    if (encoding === 'identity') return { ...made, headers }
    const key = `${encoding} ${path}`
    const bytes = encoded.get(key) ?? compress(encoding, String(made.content))
    encoded.set(key, bytes)
    return { ...made, headers: { ...headers, 'Content-Encoding': encoding }, content: await bytes }
  }
  return {
    async index(encoding) {
      const html = (await files())?.get('index.html')
      if (html === undefined)
        throw new HttpFailure('not_found', 'The explorer has not been built: run npm run build.')
      const made = page('text/html; charset=utf-8', html)
      const headers = {
        ...made.headers,
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
      }
      return inEncoding('index.html', { ...made, headers }, encoding)
    },
    async asset(path, encoding) {
      const name = path.slice(ASSETS.length)
      const content = (await files())?.get(`assets/${name}`)
      if (content === undefined)
        throw new HttpFailure(
          'not_found',
          'The explorer has no such file. Reload the page to get its new ones.',
        )
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8'
      const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' }
      return inEncoding(path, { status: 200, headers, content }, encoding)
    },
  }
}
