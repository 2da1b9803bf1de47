import type { BareJob, Job } from './commands/job.js'
import type { ExitName } from './output/exits.js'
import type { OptionName, Values } from './parse/options.js'
import type { Access } from './target/local.js'
import { readFolder } from './target/target.js'

export type Command = Described & (OnTarget | Alone)

interface Described {
  readonly name: string
  readonly summary: string
  /** Those that may be left out are in brackets. */
  readonly operands?: readonly string[]
  readonly options: readonly OptionName[]
  /** Options that mean something else here than in the table of options. */
  readonly texts?: Readonly<Partial<Record<OptionName, string>>>
  readonly about: readonly string[]
  /** Each a line to paste and, if it needs one, what it is for. */
  readonly examples: readonly (readonly [string, string])[]
  /** Besides those of every command that asks a folder or a service. */
  readonly exits: readonly ExitName[]
}

interface OnTarget {
  readonly access: Access | ((values: Values) => Access)
  /** It asks a service only, the usual one if none is named. */
  readonly isForService?: true
  readonly run: (job: Job) => Promise<void>
}

/** A command that opens what it needs, and has an exit code of its own. `serve` is run by the process itself. */
interface Alone {
  readonly access?: never
  readonly run?: (job: BareJob) => Promise<number>
}

const SERVICE = ['url', 'secret-file'] as const
const ANYWHERE = ['data', ...SERVICE] as const
/** Every command, once: the parser, the help and `run` use this table. What a command needs is loaded when it runs. */
export const COMMANDS = [
  {
    name: 'serve',
    summary: 'serve the API, the contract and its documentation (the default)',
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
    options: ['name', 'scope', 'graph', 'source', 'expires', 'json', ...ANYWHERE],
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
    exits: ['usage'],
    access: 'makes',
    run: async (job) => (await import('./commands/key.js')).createKey(job),
  },
  {
    name: 'key list',
    summary: 'list the keys, without their secrets',
    options: ['json', ...ANYWHERE],
    about: ['The oldest first, those that have expired as well.'],
    examples: [['loregraph key list --url http://127.0.0.1:7400', 'of a service that is running']],
    exits: ['noInput'],
    access: 'reads',
    run: async (job) => (await import('./commands/key.js')).listKeys(job),
  },
  {
    name: 'key revoke',
    summary: 'revoke a key at once',
    operands: ['key_id'],
    options: ['with-descendants', 'json', ...ANYWHERE],
    about: [
      'From then on its secret is refused, by a running service too when --url names it. Keys that were made with it',
      'stay, unless --with-descendants revokes them as well, which also works when the key itself is gone.',
    ],
    examples: [
      ['loregraph key revoke key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q', 'the id is in "loregraph key list"'],
      ['loregraph key revoke key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q --with-descendants', 'an admin key that leaked'],
    ],
    exits: ['usage', 'noInput'],
    access: 'changes',
    run: async (job) => (await import('./commands/key.js')).revokeKey(job),
  },
  {
    name: 'import',
    summary: 'create a graph from an export, or from the files of other tools',
    operands: ['graph', '[file]'],
    options: ['format', 'context', 'json', 'progress', ...ANYWHERE],
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
    exits: ['usage', 'data', 'noInput', 'exists', 'disk'],
    access: 'makes',
    run: async (job) => (await import('./commands/import.js')).importGraph(job),
  },
  {
    name: 'export',
    summary: 'write a graph as NDJSON, to keep or to import elsewhere',
    operands: ['graph'],
    options: ['out', 'as-of', 'progress', ...ANYWHERE],
    about: [
      'A header line, one line for each event in the order of recording, and a last line with their count and',
      'hash. The same graph gives the same bytes, and so does its import somewhere else.',
    ],
    examples: [
      ['loregraph export support --out support.ndjson', 'a backup of one graph'],
      ['loregraph export support --as-of 2026-03-02T09:30:00Z', 'as it was then'],
      ['loregraph export support | LOREGRAPH_DATA=./other loregraph import support', 'from folder to folder'],
    ],
    exits: ['usage', 'noInput', 'exists', 'disk'],
    access: 'reads',
    run: async (job) => (await import('./commands/export.js')).exportGraph(job),
  },
  {
    name: 'insight',
    summary: 'ask what is known about a task',
    operands: ['graph', 'task'],
    options: ['limit', 'explain', 'as-of', 'valid-at', 'json', ...ANYWHERE],
    about: [
      'The first line is the recorded claim that answers, or says that nothing recorded does. Below it is what was so before',
      'and what speaks against it, then what to do, and how far to rely on it.',
    ],
    examples: [
      ['loregraph insight demo "Which test runner do we use?"', ''],
      ['loregraph insight demo "Why do payments time out?" --explain', 'with the memories it rests on'],
      ['loregraph insight demo "Which test runner do we use?" --as-of 3', 'as of the third event'],
      ['loregraph insight demo "Which test runner do we use?" --valid-at 2026-01-15', 'what was true then'],
    ],
    exits: ['usage', 'noInput'],
    access: 'asks',
    run: async (job) => (await import('./commands/insight.js')).insight(job),
  },
  {
    name: 'brief',
    summary: 'print what to know before starting work',
    operands: ['graph'],
    options: ['task', 'max-chars', 'json', ...ANYWHERE],
    about: [
      'What stands, what is disputed and what is stale, as Markdown; with --task, first what is relevant to the task.',
    ],
    examples: [
      ['loregraph brief demo', ''],
      ['loregraph brief demo --task "Speed up the tests" --max-chars 1000', 'for one task, and short'],
    ],
    exits: ['usage', 'noInput'],
    access: ({ task }) => (task === undefined ? 'reads' : 'asks'),
    run: async (job: Job) => (await import('./commands/insight.js')).brief(job),
  },
  {
    name: 'status',
    summary: 'say how much the graphs hold, or one of them in detail',
    operands: ['[graph]'],
    options: ['json', ...ANYWHERE],
    about: ['Without a graph, a line for each. With one: what it holds, of what, and what of it stands.'],
    examples: [
      ['loregraph status', 'all graphs'],
      ['loregraph status demo', 'one of them'],
    ],
    exits: ['usage', 'noInput'],
    access: 'asks',
    run: async (job) => (await import('./commands/survey.js')).status(job),
  },
  {
    name: 'disputes',
    summary: 'list the memories that contradict each other',
    operands: ['graph'],
    options: ['json', ...ANYWHERE],
    about: ['Both sides of each stand, in open contradiction. The latest first.'],
    examples: [['loregraph disputes demo', '']],
    exits: ['usage', 'noInput'],
    access: 'reads',
    run: async (job) => (await import('./commands/survey.js')).disputes(job),
  },
  {
    name: 'stale',
    summary: 'list the memories that build on something that was replaced',
    operands: ['graph'],
    options: ['json', ...ANYWHERE],
    about: ['Each with what it builds on and what replaced that. The latest first.'],
    examples: [['loregraph stale demo', '']],
    exits: ['usage', 'noInput'],
    access: 'reads',
    run: async (job) => (await import('./commands/survey.js')).stale(job),
  },
  {
    name: 'history',
    summary: 'list how a memory was stated, what replaced what, and when it holds',
    operands: ['graph', 'memory_id'],
    options: ['json', ...ANYWHERE],
    about: [
      'Every statement in the order of recording, with what it did to other memories. Then when each claim of the memory holds or',
      'held, in the order of the world.',
    ],
    examples: [
      ['loregraph history demo mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N', 'the id is in "loregraph insight --explain"'],
    ],
    exits: ['usage', 'noInput'],
    access: 'reads',
    run: async (job) => (await import('./commands/survey.js')).history(job),
  },
  {
    name: 'around',
    summary: 'list the contexts around one, and the links among them',
    operands: ['graph', 'context'],
    options: ['depth', 'json', ...ANYWHERE],
    about: ['The context is written type:name. The nearest first.'],
    examples: [
      ['loregraph around demo decision:test_runner', ''],
      ['loregraph around demo decision:test_runner --depth 2', 'over two links'],
    ],
    exits: ['usage', 'noInput'],
    access: 'reads',
    run: async (job) => (await import('./commands/survey.js')).around(job),
  },
  {
    name: 'mcp',
    summary: 'serve the tools of a graph to an agent over stdio, by the Model Context Protocol',
    options: ['graph', 'allow-erase', ...SERVICE],
    about: [
      'For hosts that start their servers themselves. It asks the service at --url (http://127.0.0.1:7400 if absent)',
      'with the secret in LOREGRAPH_SECRET. Without --graph, calls choose among the graphs that the secret reaches.',
      'Nothing but messages goes to stdout. It ends when its host does.',
      '',
      'A host that speaks MCP over HTTP needs no process of its own: the service answers at /mcp/GRAPH.',
    ],
    examples: [['loregraph mcp --graph demo --url http://127.0.0.1:7400', 'the command to give to a host']],
    exits: ['fine', 'usage', 'noInput', 'config'],
    run: async (job) => (await import('./agents/mcp.js')).mcp(job),
  },
  {
    name: 'eval',
    summary: 'ask the questions of a file and check the answers, in a build for instance',
    operands: ['[file]'],
    options: ['write', 'junit', 'json', ...ANYWHERE],
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
    exits: ['failed', 'usage', 'data', 'noInput', 'exists'],
    access: 'asks',
    run: async (job) => (await import('./commands/eval.js')).evaluate(job),
  },
  {
    name: 'hook',
    summary:
      'answer an event of an agent host: recall on a prompt, a brief at the start, a reminder at the end',
    operands: ['event'],
    options: ['host', 'graph', ...SERVICE],
    texts: {
      host: 'whose event it is: claude-code, codex, copilot, gemini or cursor (claude-code if absent)',
      graph: 'the graph to ask (LOREGRAPH_GRAPH)',
      url: 'the service to ask (LOREGRAPH_URL; http://127.0.0.1:7400 if absent)',
      'secret-file': 'a file that holds the secret, instead of LOREGRAPH_SECRET',
    },
    about: [
      'Reads the event as JSON from stdin and writes what the host is to take into the conversation. The event is',
      'start, prompt, tool, stop, subagent-stop, compact or end, or the name that the host has for it. Silent unless there',
      'is something to say: memories only at medium confidence or better, none twice in a session, none that was',
      'replaced.',
      '',
      'Always exits with 0, also when the service is down, because some hosts drop a prompt whose hook fails.',
      'What went wrong is said once: to the person when a session starts, later on stderr.',
    ],
    examples: [
      [
        `echo '{"prompt":"Which test runner do we use?"}' | loregraph hook prompt --graph demo`,
        'try it by hand',
      ],
      ['loregraph connect claude-code --hooks --graph demo', 'have it called by the host'],
    ],
    exits: ['fine'],
    run: async (job) => (await import('./agents/hook.js')).hook(job.operands, job.values, job),
  },
  {
    name: 'connect',
    summary: 'let an agent host use a graph: writes its configuration, with a key of its own',
    operands: ['host'],
    options: ['graph', 'hooks', 'http', 'agents-md', 'skills', 'dry-run', 'project', 'user', ...SERVICE],
    texts: {
      graph: 'the graph that the agent uses',
      url: 'the service (LOREGRAPH_URL; http://127.0.0.1:7400 if absent)',
      'secret-file':
        'a file that holds an admin secret, instead of LOREGRAPH_SECRET; it is used once, and not kept',
    },
    about: [
      'The host is claude-code, codex, copilot, gemini, opencode, cursor or vscode. Shows what it changes, and keeps',
      'every other byte of the files; a copy of each is beside it until "loregraph disconnect". For claude-desktop, zed,',
      'windsurf, cline and goose it writes no file, but prints the lines to add, and says where. The key that it makes may',
      'read and write this graph and nothing else; its secret is kept in a file that only you can read, outside the project.',
    ],
    examples: [
      ['loregraph connect claude-code --graph demo --hooks --dry-run', 'see what would be written'],
      ['loregraph connect codex --graph demo', ''],
      [
        'loregraph connect opencode --graph demo --http --agents-md --skills',
        'no program, and words on when to use it',
      ],
    ],
    exits: ['usage', 'data', 'exists'],
    access: 'reads',
    isForService: true,
    run: async (job) => (await import('./agents/connect.js')).connect(job),
  },
  {
    name: 'disconnect',
    summary: 'undo connect: remove its lines and revoke its key',
    operands: ['host'],
    options: ['dry-run', 'project', 'user', ...SERVICE],
    texts: {
      url: 'the service (LOREGRAPH_URL; the one that was connected if absent)',
      'secret-file': 'a file that holds an admin secret, instead of LOREGRAPH_SECRET',
    },
    about: [
      'A file that nobody has changed since gets its former bytes back; from any other, only the lines of connect are',
      'removed. Files that connect made are gone again.',
    ],
    examples: [['loregraph disconnect claude-code', '']],
    exits: ['usage', 'data', 'exists'],
    access: 'reads',
    isForService: true,
    run: async (job) => (await import('./agents/connect.js')).disconnect(job),
  },
  {
    name: 'demo',
    summary: 'add a small graph named demo, and say what to try',
    options: ['json', ...ANYWHERE],
    about: ['A web team’s year, with every kind of link and trust. If it is there already, nothing changes.'],
    examples: [['loregraph demo', 'then: loregraph insight demo "Which test runner do we use?"']],
    exits: [],
    access: 'makes',
    run: async (job) => (await import('./commands/demo.js')).demo(job),
  },
  {
    name: 'verify',
    summary: 'read every byte of the data folder and say what is damaged; changes nothing',
    options: ['data'],
    about: ['May run beside the service.'],
    examples: [['loregraph verify --data /var/lib/loregraph', '']],
    exits: ['fine', 'torn', 'noInput', 'config'],
    run: async ({ env, values, print }) =>
      (await import('./commands/verify.js')).verify(readFolder(env, values), print),
  },
  {
    name: 'repair',
    summary: 'say what can be saved of a damaged data folder; with --truncate, save it',
    options: ['truncate', 'data'],
    about: ['Damaged files are set aside, never deleted.'],
    examples: [
      ['loregraph repair', 'what would be kept, what would be lost'],
      ['loregraph repair --truncate', 'do it'],
    ],
    exits: ['fine', 'noInput', 'inUse', 'config'],
    run: async ({ env, values, pid, print }) =>
      (await import('./commands/repair.js')).repair(
        readFolder(env, values),
        { truncate: values.truncate ?? false, pid },
        print,
      ),
  },
] as const satisfies readonly Command[]

export type CommandName = (typeof COMMANDS)[number]['name']
