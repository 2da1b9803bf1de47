import { hash } from 'node:crypto'

const ALONE = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/** The pages beside the reference have neither a script nor anything inline. */
export const GUIDE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  ...ALONE,
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * The policy under which the built documentation runs: its own inline scripts, known by their hashes, and nothing from
 * anywhere else. Redoc makes its styles at run time and searches in a worker made from a blob.
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
    ...ALONE,
  ].join('; ')
}

/** A picture that is opened by itself: its own style, which tells light from dark, known by its hash. */
export function pictureCsp(svg: string): string {
  return ["default-src 'none'", `style-src ${hashesOf(svg, 'style')}`, ...ALONE].join('; ')
}

/** Searched for rather than matched: the text of a script may be millions of characters long. */
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
