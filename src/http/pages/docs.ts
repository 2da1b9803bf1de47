import { hash } from 'node:crypto'
import type { Encoding } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { type BuiltFiles, FileCache, type Page, page, type ReadFiles, withPolicy } from './file-cache.js'

/** The path under which all pages but the reference are served, with their pictures and styles. */
export const DOCS = '/docs/'

const PROBLEMS = `${DOCS}problems/`
const REFERENCE = 'index.html'

/** `read` gives files such as `index.html`, `problems/not_found.html` and `pictures/trust.svg`. */
export function docsPages(read: ReadFiles) {
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
    /** The API reference, which Redoc generates from the contract. */
    index: (encoding: Encoding) => serve(REFERENCE, '/docs', encoding),
    /** Any other page, picture or style. */
    page: (path: string, encoding: Encoding) => serve(fileOf(path.slice(DOCS.length)), path, encoding),
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

const NO_EMBEDDING = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/** The policy of all pages but the reference: they have no scripts and nothing inline. */
const GUIDE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  ...NO_EMBEDDING,
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * The policy of the reference: only its own inline scripts, allowed by their hashes, and nothing from other
 * hosts. Redoc creates its styles at run time and searches in a worker that it creates from a blob.
 */
export function docsCsp(html: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashesOf(html, 'script')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    'worker-src blob:',
    "connect-src 'self'",
    ...NO_EMBEDDING,
  ].join('; ')
}

/**
 * The policy of a picture opened on its own: only its inline style, which adapts to dark mode, by its hash.
 */
export function pictureCsp(svg: string): string {
  return ["default-src 'none'", `style-src ${hashesOf(svg, 'style')}`, ...NO_EMBEDDING].join('; ')
}

/** Finds the end with `indexOf`: a script of millions of characters is too long for a regular expression. */
function hashesOf(text: string, element: 'script' | 'style'): string {
  const opening = new RegExp(`<${element}(?:\\s[^>]*)?>`, 'g')
  const hashes: string[] = []
  while (opening.exec(text) !== null) {
    const end = text.indexOf(`</${element}>`, opening.lastIndex)
    if (end < 0) break
    const code = text.slice(opening.lastIndex, end)
    if (code !== '') hashes.push(`'sha256-${hash('sha256', code, 'base64')}'`)
    opening.lastIndex = end
  }
  return hashes.join(' ') || "'none'"
}
