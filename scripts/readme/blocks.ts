/** A fenced block of a Markdown text. */
export interface Block {
  readonly language: string
  readonly text: string
  /** Where its text begins and ends. */
  readonly start: number
  readonly end: number
}

const FENCE = /^```([^\n`]*)\n([\s\S]*?)^```$/gm

export function blocksOf(markdown: string): Block[] {
  return Array.from(markdown.matchAll(FENCE), (match) => {
    const [, language = '', text = ''] = match
    const start = match.index + '```'.length + language.length + 1
    return { language, text, start, end: start + text.length }
  })
}

/** The text with some of its blocks replaced. */
export function replaceBlocks(markdown: string, texts: ReadonlyMap<Block, string>): string {
  let result = markdown
  for (const [block, text] of [...texts].reverse())
    result = `${result.slice(0, block.start)}${text}\n${result.slice(block.end)}`
  return result
}
