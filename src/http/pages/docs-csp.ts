import { hash } from 'node:crypto'

const INLINE_SCRIPT = /<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g

/**
 * The policy under which the built documentation runs: its own inline scripts, known by their hashes, and nothing from
 * anywhere else. Redoc makes its styles at run time and searches in a worker made from a blob.
 */
export function docsCsp(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)]
    .filter(([, code]) => code !== undefined && code !== '')
    .map(([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`)
  return [
    "default-src 'none'",
    `script-src ${hashes.join(' ') || "'none'"}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
