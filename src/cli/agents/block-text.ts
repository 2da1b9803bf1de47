/** How the two marks of a block are written in a file of a kind. */
export interface Marks {
  /** What begins and ends a comment. */
  readonly comment: readonly [before: string, after: string]
  /** Who wrote the block, and how it is removed. */
  readonly note: string
}

/** With lines at the end, between two comments by which they are found again. */
export function withBlock(text: string, marks: Marks, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const [before, after] = marks.comment
  const begin = `${before} loregraph: begin (${marks.note})${after}`
  const block = [begin, ...lines, `${before} loregraph: end${after}`].join(eol) + eol
  if (text.includes(block)) return text
  const rest = withoutBlock(text, marks)
  const gap = rest.trim() === '' ? '' : rest.endsWith('\n') ? eol : eol + eol
  return rest + gap + block
}

export function withoutBlock(text: string, { comment: [before] }: Marks): string {
  const block = `(?:\\r?\\n)?${before} loregraph: begin [^\\n]*\\n[\\s\\S]*?${before} loregraph: end[^\\n]*(?:\\n|$)`
  return text.replace(new RegExp(block), '')
}
