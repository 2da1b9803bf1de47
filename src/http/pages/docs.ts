import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { docsCsp, GUIDE_POLICY, pictureCsp } from './docs-csp.js'
import { type BuiltFiles, KeptFiles, type ReadFiles } from './kept-files.js'
import { type Page, page } from './page.js'

/** Where the pages beside the reference are served, with their pictures and their style. */
export const DOCS = '/docs/'

const PROBLEMS = `${DOCS}problems/`
const REFERENCE = 'index.html'

export interface Docs {
  /** The reference, which Redoc made of the contract. */
  index(encoding: Encoding): Promise<Page>
  /** Any other page, and what it needs. */
  page(path: string, encoding: Encoding): Promise<Page>
}

/** `read` gives files such as `index.html`, `trust.html`, `problems/not_found.html` and `pictures/trust.svg`. */
export function docsPages(read: ReadFiles): Docs {
  const kept = new KeptFiles(read)
  const made = new Map<string, Page>()
  const serve = async (name: string, path: string, encoding: Encoding) => {
    const files = await kept.all()
    if (files === undefined)
      throw new HttpFailure('not_found', 'The documentation has not been built: run npm run build.')
    const page = made.get(name) ?? pageOf(name, textOf(files, name, path))
    made.set(name, page)
    return kept.inEncoding(name, page, encoding)
  }
  return {
    index: (encoding) => serve(REFERENCE, '/docs', encoding),
    page: (path, encoding) => serve(fileOf(path.slice(DOCS.length)), path, encoding),
  }
}

const HTML = 'text/html; charset=utf-8'
const SVG = 'image/svg+xml; charset=utf-8'
const CSS = 'text/css; charset=utf-8'

/** A page has no extension in its address; the reference has an address of its own. */
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

function withPolicy(made: Page, policy: string): Page {
  const headers = { ...made.headers, 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }
  return { ...made, headers }
}
