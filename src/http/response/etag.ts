import { hash } from 'node:crypto'

/** A hash of the text. Weak, since the same answer is sent in several encodings. */
export function etagOf(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`
}

/** Whether `If-None-Match` contains the tag, by the weak comparison (RFC 9110, section 13.1.2). */
export function matches(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = etag.slice(2)
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
