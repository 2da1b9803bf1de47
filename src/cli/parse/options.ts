/** Every option of the command line, described once: both the parser and the help are made from this. */
export const OPTIONS = {
  host: { value: 'host', text: 'the address to listen on', env: 'LOREGRAPH_HOST', fallback: '127.0.0.1' },
  port: { value: 'port', text: 'the port; 0 takes any free one', env: 'LOREGRAPH_PORT', fallback: '7400' },
  data: { value: 'folder', text: 'where knowledge is kept', env: 'LOREGRAPH_DATA', fallback: './data' },
  demo: { text: 'add a small graph named demo' },
  truncate: { text: 'carry it out: keep each damaged graph up to the damage' },
  url: {
    value: 'url',
    text: 'ask the service that runs there instead of opening the data folder',
    env: 'LOREGRAPH_URL',
  },
  'secret-file': {
    value: 'file',
    text: 'with --url: a file that holds the secret, instead of LOREGRAPH_SECRET',
  },
  name: { value: 'words', text: 'what the key is for' },
  scope: { value: 'scope', many: true, text: 'read, write or admin; once for each. None includes another' },
  graph: {
    value: 'graph',
    many: true,
    text: 'a graph that the key reaches, once for each, all if left out; mcp: the graph to work in',
  },
  'allow-erase': { text: 'also offer the tool that erases, to keys with the scope write' },
  source: {
    value: 'source',
    many: true,
    text: 'a source that the key may record as; once for each. All if left out',
  },
  expires: { value: 'when', text: 'when the key ends: 12h, 90d, or 2027-03-02T00:00:00Z. Never if left out' },
  'with-descendants': { text: 'also revoke every key made with it, directly or through others' },
  out: { value: 'file', text: 'write to this file, whole or not at all, instead of stdout' },
  format: {
    value: 'format',
    text: 'loregraph (an export), mcp-memory (memory.jsonl of the MCP memory server) or facts',
    fallback: 'loregraph',
  },
  context: {
    value: 'type:name',
    text: 'with --format facts: where the facts are filed',
    fallback: 'fact:general',
  },
  limit: { value: 'n', text: 'the most memories to consider, 1 to 100', fallback: '5' },
  explain: { text: 'also say why, and on which memories it rests' },
  'as-of': {
    value: 'moment',
    text: 'as the graph was then: a date or a time of recording, such as 2026-03-02T09:30:00Z, or a place',
  },
  'valid-at': {
    value: 'moment',
    text: 'what is true then, past or to come: a date or a moment. Now if left out',
  },
  task: { value: 'words', text: 'what is to be done' },
  'max-chars': { value: 'n', text: 'the most characters to print, 200 to 20000', fallback: '2000' },
  depth: { value: 'n', text: 'over how many links to go, 1 to 3', fallback: '1' },
  write: {
    value: 'graph',
    text: 'draft cases from this graph instead, to a file that is not there yet, or to stdout if none is named',
  },
  junit: { value: 'file', text: 'also write the results as JUnit XML' },
  hooks: { text: 'also have the host call "loregraph hook" for prompts, starts and ends' },
  'agents-md': {
    text: 'also put a few lines on when to use the tools into AGENTS.md, or the file that the host reads',
  },
  skills: { text: 'also put two skills where the host reads them' },
  http: { text: 'have the host ask the service itself, over HTTP, instead of starting "loregraph mcp"' },
  'dry-run': { text: 'show what would be done, and do nothing' },
  user: { text: 'in the home folder, for all projects, instead of one project' },
  project: { value: 'folder', text: 'the project whose configuration it is', fallback: '.' },
  json: { text: 'answer as JSON, for scripts' },
  progress: { text: 'tell the progress in lines on stderr, also where stderr is no terminal' },
  help: { short: 'h', text: 'show this' },
  version: { text: 'show the version' },
} as const satisfies Readonly<Record<string, Option>>

export interface Option {
  /** The name of its value in the help; a switch has none. */
  readonly value?: string
  readonly many?: true
  readonly short?: string
  readonly text: string
  /** The environment variable that it goes before. */
  readonly env?: string
  readonly fallback?: string
}

export type OptionName = keyof typeof OPTIONS

export type Values = { readonly [Name in OptionName]?: Value<(typeof OPTIONS)[Name]> }

type Value<It> = It extends { many: true } ? readonly string[] : It extends { value: string } ? string : true

export const OPTION_NAMES = Object.keys(OPTIONS).filter((name): name is OptionName => name in OPTIONS)

/** The number that digits say; otherwise none, which the service refuses as it refuses any other. */
export function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}
