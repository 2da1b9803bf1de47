import { hash } from 'node:crypto'

const NO_EMBEDDING = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/** The policy of all pages but the reference: they have no scripts and nothing inline. */
export const GUIDE_POLICY = [
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
