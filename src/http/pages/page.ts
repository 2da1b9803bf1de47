import { etagOf } from '../response/etag.js'

/** An answer of a path that is not part of the contract. */
export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | Buffer
}

/** A page that clients may cache but revalidate at each use. */
export function page(type: string, content: string): Page {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: etagOf(content) }
  return { status: 200, headers, content }
}
