import { createHash } from 'node:crypto'

export const NDJSON = 'application/x-ndjson'
const HEADER = '{"loregraph":1,"graph_id":"demo","exported_at":"2026-03-02T09:30:00.000Z"}'

/** An export of these lines: a header before them, their count and hash after them. */
export function exportOf(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return `${HEADER}\n${text}{"count":${lines.length},"sha256":"${sha256}"}\n`
}

/** The event lines of an export. */
export function eventLines(text: string): string[] {
  return text.split('\n').slice(1, -2)
}
