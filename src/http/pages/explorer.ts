import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { FileCache, type ReadFiles } from './file-cache.js'
import { type Page, page } from './page.js'

/** The path under which files with hashed names are served. */
export const ASSETS = '/explorer/assets/'

/** Only files and the API of this service, nothing inline, no strings as markup or code (Trusted Types). */
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
  index(encoding: Encoding): Promise<Page>
  /** A file with a hashed name. Its content never changes. */
  asset(path: string, encoding: Encoding): Promise<Page>
}

/** `read` gives files such as `index.html` and `assets/main-1a2b.js`. */
export function explorerPages(read: ReadFiles): Explorer {
  const files = new FileCache(read)
  return {
    async index(encoding) {
      const html = (await files.all())?.get('index.html')
      if (html === undefined)
        throw new HttpFailure('not_found', 'The explorer has not been built: run npm run build.')
      const plain = page('text/html; charset=utf-8', html)
      const headers = {
        ...plain.headers,
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
      }
      return files.inEncoding('index.html', { ...plain, headers }, encoding)
    },
    async asset(path, encoding) {
      const name = path.slice(ASSETS.length)
      const content = (await files.all())?.get(`assets/${name}`)
      if (content === undefined)
        throw new HttpFailure(
          'not_found',
          'The explorer has no such file. Reload the page to get its new ones.',
        )
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8'
      const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' }
      return files.inEncoding(path, { status: 200, headers, content }, encoding)
    },
  }
}
