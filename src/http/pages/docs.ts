import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { docsCsp, GUIDE_POLICY, pictureCsp } from './docs-csp.js'
import { type BuiltFiles, FileCache, type ReadFiles } from './file-cache.js'
import { type Page, page } from './page.js'

/** The path under which all pages but the reference are served, with their pictures and styles. */
export const DOCS = '/docs/'

const PROBLEMS = `${DOCS}problems/`
const REFERENCE = 'index.html'

export interface Docs {
  /** The API reference, which Redoc generates from the contract. */
  index(encoding: Encoding): Promise<Page>
  /** Any other page, picture or style. */
  page(path: string, encoding: Encoding): Promise<Page>
}

/** `read` gives files such as `index.html`, `problems/not_found.html` and `pictures/trust.svg`. */
export function docsPages(read: ReadFiles): Docs {
  const cache = new FileCache(read)
  const pages = new Map<string, Page>()
  const serve = async (name: string, path: string, encoding: Encoding) => {
    const files = await cache.all()
    if (files === undefined)
      throw new HttpFailure('not_found', 'The documentation has not been built: run npm run build.')
    const page = pages.get(name) ?? pageOf(name, textOf(files, name, path))
    pages.set(name, page)
    return cache.inEncoding(name, page, encoding)
  }
  return {
    index: (encoding) => serve(REFERENCE, '/docs', encoding),
    page: (path, encoding) => serve(fileOf(path.slice(DOCS.length)), path, encoding),
  }
}

const HTML = 'text/html; charset=utf-8'
const SVG = 'image/svg+xml; charset=utf-8'
const CSS = 'text/css; charset=utf-8'

/** The file at a path: addresses of pages have no extension. The reference is served at `/docs` only. */
function fileOf(name: string): string {
  if (name.endsWith('.svg') || name.endsWith('.css')) return name
  return name === 'index' ? '' : `${name}.html`
}

function pageOf(name: string, text: string): Page {
  if (name.endsWith('.css')) return page(CSS, text)
  if (name.endsWith('.svg')) return withPolicy(page(SVG, text), pictureCsp(text))
  return withPolicy(page(HTML, text), name === REFERENCE ? docsCsp(text) : GUIDE_POLICY)
}

function textOf(files: BuiltFiles, name: string, path: string): string {
  const text = files.get(name)
  if (text !== undefined) return text
  throw new HttpFailure(
    'not_found',
    path.startsWith(PROBLEMS)
      ? 'There is no problem with this code. /docs/problems lists those there are.'
      : 'The documentation has no such page. /docs leads to those there are.',
  )
}

function withPolicy(page: Page, policy: string): Page {
  const headers = { ...page.headers, 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }
  return { ...page, headers }
}
