import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Stop } from '../output/exits.js'
import { type HostFile, SECRET_VARIABLE, serverAddress, serverCommand } from './wiring.js'

/** How the two marks around a block of ours are written in a file of a kind. */
interface Marks {
  readonly begin: string
  readonly end: string
  /** Who wrote the block, and how it is removed. */
  readonly note: string
}

const TOML: Marks = {
  begin: '#',
  end: '',
  note: '"loregraph connect codex" wrote this, "loregraph disconnect codex" removes it',
}
const MARKDOWN: Marks = {
  begin: '<!--',
  end: ' -->',
  note: '"loregraph connect --agents-md" wrote this, "loregraph disconnect" removes it',
}

/** A file of TOML, with the server as a table at the end. */
export function tomlFile(file: string): HostFile {
  return {
    file,
    with(text, wiring) {
      const mistake = tomlMistake(text)
      if (mistake !== undefined) throw new Stop('data', `${file} ${mistake}. Nothing was changed.`)
      // The strings and lists of JSON are those of TOML, too.
      const { command, args } = serverCommand(wiring)
      const fields = wiring.isHttp
        ? { url: serverAddress(wiring), bearer_token_env_var: SECRET_VARIABLE }
        : { command, args }
      const lines = Object.entries(fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
      return withBlock(text, TOML, ['[mcp_servers.loregraph]', ...lines])
    },
    without: (text) => withoutBlock(text, TOML),
  }
}

/** The texts for agents that come with this package. */
const TEXTS = new URL('../../../plugins/', import.meta.url)
const SKILLS = ['ask-before-you-start', 'record-what-you-learned']

/** A file of instructions, with the lines that say when to use the tools. */
export function instructionsFile(file: string): HostFile {
  return {
    file,
    with: (text) => withBlock(text, MARKDOWN, readText('AGENTS.md').trimEnd().split('\n')),
    without: (text) => withoutBlock(text, MARKDOWN),
  }
}

/** The skills in a folder. One that is there already, in whatever words, is left as it is. */
export function skillFiles(folder: string): readonly HostFile[] {
  return SKILLS.map((name) => ({
    file: join(folder, name, 'SKILL.md'),
    with: (text) => (text.trim() === '' ? readText(`claude-code/skills/${name}/SKILL.md`) : text),
    without: (text) => text,
  }))
}

function readText(name: string): string {
  return readFileSync(new URL(name, TEXTS), 'utf8')
}

function withBlock(text: string, marks: Marks, lines: readonly string[]): string {
  const { begin, end, note } = marks
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const first = `${begin} loregraph: begin (${note})${end}`
  const block = [first, ...lines, `${begin} loregraph: end${end}`].join(eol) + eol
  if (text.includes(block)) return text
  const rest = withoutBlock(text, marks)
  const gap = rest.trim() === '' ? '' : rest.endsWith('\n') ? eol : eol + eol
  return rest + gap + block
}

function withoutBlock(text: string, { begin }: Marks): string {
  const block = `(?:\\r?\\n)?${begin} loregraph: begin [^\\n]*\\n[\\s\\S]*?${begin} loregraph: end[^\\n]*(?:\\n|$)`
  return text.replace(new RegExp(block), '')
}

const OWN_TABLE = /^[ \t]*(?:\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?loregraph\b|mcp_servers[ \t]*[.=])/m

/** What speaks against adding a table at the end; undefined if nothing does. Not a parser: only what matters here. */
function tomlMistake(text: string): string | undefined {
  const open = unclosedIn(text)
  if (open !== undefined) return `is not TOML: ${open} is not closed`
  return OWN_TABLE.test(withoutBlock(text, TOML))
    ? 'has mcp_servers.loregraph already, or mcp_servers as one value'
    : undefined
}

/** Strings, those of several lines and comments, then what opens or closes; a quote alone is a string without an end. */
const TOKEN = /"""[\s\S]*?"""|'''[\s\S]*?'''|"""|'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|["'[\]{}]/g

/** What is still open at the end: a string of several lines, a list or an inline table. */
function unclosedIn(text: string): string | undefined {
  const open: string[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    if (['"""', "'''", '"', "'"].includes(token)) return token
    if (token === '[' || token === '{') open.push(token)
    else if (token === ']' || token === '}') {
      const opener = open.pop()
      if (opener !== (token === ']' ? '[' : '{')) return opener ?? token
    }
  }
  return open.pop()
}
