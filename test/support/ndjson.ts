import { createHash } from 'node:crypto'

export const NDJSON = 'application/x-ndjson'

/** An export of these lines: a header before them, their count and hash after them. */
export function exportOf(lines: readonly string[], format = 3): string {
  const header = `{"loregraph":${format},"graph_id":"demo","exported_at":"2026-03-02T09:30:00.000Z"}`
  const text = lines.map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return `${header}\n${text}{"count":${lines.length},"sha256":"${sha256}"}\n`
}

/** The event lines of an export. */
export function eventLines(text: string): string[] {
  return text.split('\n').slice(1, -2)
}
