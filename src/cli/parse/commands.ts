import { AGENT_COMMANDS } from './agent-commands.js'
import type { Command } from './command.js'
import { HOST_COMMANDS } from './host-commands.js'
import { READING_COMMANDS } from './reading-commands.js'

/** Every command, described once: both the parser and the help are made from this. */
export const COMMANDS = [
  {
    name: 'serve',
    summary: 'serve the API, the contract and its documentation (the default)',
    operands: [],
    options: ['host', 'port', 'data', 'demo'],
    about: [
      'Serves until it is asked to stop (SIGTERM or Ctrl-C), then answers what it has begun and ends.',
      'At the first start it makes an admin secret and prints it once, unless LOREGRAPH_SECRET gives one.',
      'It prints where the explorer and the documentation are, and last, when it is ready:',
      'loregraph listening on http://HOST:PORT',
    ],
    examples: [
      ['loregraph serve --demo', 'try it, with something to look at'],
      ['loregraph serve --port 0 --data /var/lib/loregraph', 'any free port, another folder'],
    ],
    exits: ['fine', 'failed', 'inUse', 'config'],
  },
  {
    name: 'key create',
    summary: 'make a key for an agent and print its secret, this once',
    operands: [],
    options: ['name', 'scope', 'graph', 'source', 'expires', 'json', 'data', 'url', 'secret-file'],
    about: [
      'Give each agent a key of its own that can do no more than it needs. The secret is printed alone on',
      'stdout, so that it can be piped into a secret store; only its hash is kept, and it cannot be shown again.',
    ],
    examples: [
      [
        'loregraph key create --name "support agent" --scope read --scope write --graph support --expires 90d',
        'one agent, one graph, three months',
      ],
      ['loregraph key create --name dashboard --scope read --json | jq -r .key_id', 'for a script'],
    ],
    exits: ['fine', 'usage', 'unavailable', 'inUse', 'noPermission', 'config'],
  },
  {
    name: 'key list',
    summary: 'list the keys, without their secrets',
    operands: [],
    options: ['json', 'data', 'url', 'secret-file'],
    about: ['The oldest first, those that have expired as well.'],
    examples: [['loregraph key list --url http://127.0.0.1:7400', 'of a service that is running']],
    exits: ['fine', 'noInput', 'unavailable', 'inUse', 'noPermission', 'config'],
  },
  {
    name: 'key revoke',
    summary: 'revoke a key at once',
    operands: [{ name: 'key_id' }],
    options: ['with-descendants', 'json', 'data', 'url', 'secret-file'],
    about: [
      'From then on its secret is refused, by a running service too when --url names it. Keys that were made with it',
      'stay, unless --with-descendants revokes them as well, which also works when the key itself is gone.',
    ],
    examples: [
      ['loregraph key revoke key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q', 'the id is in "loregraph key list"'],
      ['loregraph key revoke key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q --with-descendants', 'an admin key that leaked'],
    ],
    exits: ['fine', 'usage', 'noInput', 'unavailable', 'inUse', 'noPermission', 'config'],
  },
  {
    name: 'import',
    summary: 'make a graph of an export, or of what other tools keep',
    operands: [{ name: 'graph' }, { name: 'file', optional: true }],
    options: ['format', 'context', 'json', 'progress', 'data', 'url', 'secret-file'],
    about: [
      'Reads the file, or stdin, into a graph that does not exist yet: all of it or nothing. What is truncated',
      'or was changed is refused whole.',
      '',
      'Formats: loregraph is what "loregraph export" writes; mcp-memory is the memory.jsonl of the MCP memory',
      'server; facts is plain text with one fact a line, or a JSON array of texts.',
    ],
    examples: [
      ['loregraph import support support.ndjson', 'restore an export'],
      ['loregraph import notes memory.jsonl --format mcp-memory', 'move over from the MCP memory server'],
      ['loregraph import house rules.txt --format facts --context guide:house_rules', 'a list of facts'],
    ],
    exits: [
      'fine',
      'usage',
      'data',
      'noInput',
      'unavailable',
      'exists',
      'disk',
      'inUse',
      'noPermission',
      'config',
    ],
  },
  {
    name: 'export',
    summary: 'write a graph as NDJSON, to keep or to import elsewhere',
    operands: [{ name: 'graph' }],
    options: ['out', 'as-of', 'progress', 'data', 'url', 'secret-file'],
    about: [
      'A header line, one line for each event in the order of recording, and a last line with their count and',
      'hash. The same graph gives the same bytes, and so does its import somewhere else.',
    ],
    examples: [
      ['loregraph export support --out support.ndjson', 'a backup of one graph'],
      ['loregraph export support --as-of 2026-03-02T09:30:00Z', 'as it was then'],
      ['loregraph export support | LOREGRAPH_DATA=./other loregraph import support', 'from folder to folder'],
    ],
    exits: ['fine', 'usage', 'noInput', 'unavailable', 'exists', 'disk', 'inUse', 'noPermission', 'config'],
  },
  ...READING_COMMANDS,
  ...AGENT_COMMANDS,
  {
    name: 'eval',
    summary: 'ask the questions of a file and check the answers, in a build for instance',
    operands: [{ name: 'file', optional: true }],
    options: ['write', 'junit', 'json', 'data', 'url', 'secret-file'],
    about: [
      'The file is YAML: the graph, and a list of cases. Each has ask, the question, and at least one of',
      '  must        words that the answer tells, or ids of memories that it rests on',
      '  must_not    words that it does not tell, or memories that it does not rest on, but as replaced',
      '  confidence  high, medium or low, or a list of those that will do',
      'and may have a graph and a limit of its own. Words are looked for whole, in any case.',
      '',
      'The same graph gives the same answers, so that a case fails only when the graph or the program has changed.',
    ],
    examples: [
      ['loregraph eval --write demo cases.yaml', 'begin with cases that pass now'],
      ['loregraph eval cases.yaml --junit report.xml', 'in a build'],
    ],
    exits: [
      'fine',
      'failed',
      'usage',
      'data',
      'noInput',
      'unavailable',
      'exists',
      'inUse',
      'noPermission',
      'config',
    ],
  },
  ...HOST_COMMANDS,
  {
    name: 'demo',
    summary: 'add a small graph named demo, and say what to try',
    operands: [],
    options: ['json', 'data', 'url', 'secret-file'],
    about: ['A web team’s year, with every kind of link and trust. If it is there already, nothing changes.'],
    examples: [['loregraph demo', 'then: loregraph insight demo "Which test runner do we use?"']],
    exits: ['fine', 'unavailable', 'inUse', 'noPermission', 'config'],
  },
  {
    name: 'verify',
    summary: 'read every byte of the data folder and say what is damaged; changes nothing',
    operands: [],
    options: ['data'],
    about: ['May run beside the service.'],
    examples: [['loregraph verify --data /var/lib/loregraph', '']],
    exits: ['fine', 'torn', 'noInput', 'config'],
  },
  {
    name: 'repair',
    summary: 'say what can be saved of a damaged data folder; with --truncate, save it',
    operands: [],
    options: ['truncate', 'data'],
    about: ['Damaged files are set aside, never deleted.'],
    examples: [
      ['loregraph repair', 'what would be kept, what would be lost'],
      ['loregraph repair --truncate', 'do it'],
    ],
    exits: ['fine', 'noInput', 'inUse', 'config'],
  },
] as const satisfies readonly Command[]

export type CommandName = (typeof COMMANDS)[number]['name']

/** The words that stand before others: `key`. */
export function commandsUnder(word: string): readonly (typeof COMMANDS)[number][] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `))
}
