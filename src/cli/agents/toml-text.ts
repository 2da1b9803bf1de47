const BEGIN =
  '# loregraph: begin ("loregraph connect codex" wrote this, "loregraph disconnect codex" removes it)'
const END = '# loregraph: end'
const BLOCK = /(?:\r?\n)?# loregraph: begin [^\n]*\n[\s\S]*?# loregraph: end[^\n]*(?:\n|$)/
const OWN_TABLE = /^[ \t]*(?:\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?loregraph\b|mcp_servers[ \t]*[.=])/m

/** What speaks against adding a table at the end; undefined if nothing does. Not a parser: only what matters here. */
export function tomlMistake(text: string): string | undefined {
  const open = unclosedIn(text)
  if (open !== undefined) return `is not TOML: ${open} is not closed`
  return OWN_TABLE.test(withoutBlock(text))
    ? 'has mcp_servers.loregraph already, or mcp_servers as one value'
    : undefined
}

/** With a table at the end, between two comments by which it is found again. */
export function withBlock(text: string, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const block = [BEGIN, ...lines, END].join(eol) + eol
  const before = withoutBlock(text)
  const gap = before.trim() === '' ? '' : before.endsWith('\n') ? eol : eol + eol
  return before + gap + block
}

export function withoutBlock(text: string): string {
  return text.replace(BLOCK, '')
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
