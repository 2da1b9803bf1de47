import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { FileCache, type Page, page, type ReadFiles, withPolicy } from './file-cache.js'

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

/** `read` gives files such as `index.html` and `assets/main-1a2b.js`. */
export function explorerPages(read: ReadFiles) {
  const files = new FileCache(read)
  return {
    async index(encoding: Encoding): Promise<Page> {
      const html = (await files.all())?.get('index.html')
      if (html === undefined)
        throw new HttpFailure('not_found', 'The explorer has not been built: run npm run build.')
      const index = withPolicy(page('text/html; charset=utf-8', html), POLICY)
      return files.inEncoding('index.html', index, encoding)
    },
    /** A file with a hashed name. Its content never changes. */
    async asset(path: string, encoding: Encoding): Promise<Page> {
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
