import { etagOf } from '../response/etag.js'

/** An answer outside the contract. */
export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | Buffer
}

/** A text that is asked for again each time, and sent again when it has changed. */
export function page(type: string, content: string): Page {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: etagOf(content) }
  return { status: 200, headers, content }
}
