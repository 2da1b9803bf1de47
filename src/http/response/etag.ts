import { hash } from 'node:crypto'

/** Weak, because the same answer may be sent compressed: it changes exactly when the answer does. */
export function etagOf(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`
}

/** Whether `If-None-Match` names the tag (RFC 9110, section 13.1.2: the weak comparison). */
export function matches(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = etag.slice(2)
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
