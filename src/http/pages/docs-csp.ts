import { hash } from 'node:crypto'

const INLINE_SCRIPT = /<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g
const INLINE_STYLE = /<style(?:\s[^>]*)?>([\s\S]*?)<\/style>/g

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
    `script-src ${hashesOf(html, INLINE_SCRIPT)}`,
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
  return ["default-src 'none'", `style-src ${hashesOf(svg, INLINE_STYLE)}`, ...ALONE].join('; ')
}

function hashesOf(text: string, inline: RegExp): string {
  const hashes = [...text.matchAll(inline)]
    .filter(([, code]) => code !== undefined && code !== '')
    .map(([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`)
  return hashes.join(' ') || "'none'"
}
