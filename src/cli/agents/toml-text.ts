import { type Marks, withBlock, withoutBlock } from './block-text.js'

const MARKS: Marks = {
  comment: ['#', ''],
  note: '"loregraph connect codex" wrote this, "loregraph disconnect codex" removes it',
}
const OWN_TABLE = /^[ \t]*(?:\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?loregraph\b|mcp_servers[ \t]*[.=])/m

/** What speaks against adding a table at the end; undefined if nothing does. Not a parser: only what matters here. */
export function tomlMistake(text: string): string | undefined {
  const open = unclosedIn(text)
  if (open !== undefined) return `is not TOML: ${open} is not closed`
  return OWN_TABLE.test(withoutTable(text))
    ? 'has mcp_servers.loregraph already, or mcp_servers as one value'
    : undefined
}

/** With a table at the end, or where it is already. */
export function withTable(text: string, lines: readonly string[]): string {
  return withBlock(text, MARKS, lines)
}

export function withoutTable(text: string): string {
  return withoutBlock(text, MARKS)
}

const TOKEN = /"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|["'#[\]{}]/g

/** What is still open at the end: a string of several lines, a list or an inline table. */
function unclosedIn(text: string): string | undefined {
  const open: string[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [token] = found
    if (token === '"""' || token === "'''") {
      const end = text.indexOf(token, TOKEN.lastIndex)
      if (end < 0) return token
      TOKEN.lastIndex = end + 3
    } else if (token === '#') {
      const end = text.indexOf('\n', TOKEN.lastIndex)
      if (end < 0) break
      TOKEN.lastIndex = end
    } else if (token === '"' || token === "'") return token
    else if (token === '[' || token === '{') open.push(token)
    else if (token === ']' || token === '}') {
      const opener = open.pop()
      if (opener !== (token === ']' ? '[' : '{')) return opener ?? token
    }
  }
  return open.pop()
}
