import type { Command } from './command.js'

const EXITS = ['fine', 'usage', 'data', 'unavailable', 'exists', 'inUse', 'noPermission', 'config'] as const

/** The commands for the programs that run agents. */
export const HOST_COMMANDS = [
  {
    name: 'hook',
    summary:
      'answer an event of an agent host: recall on a prompt, a brief at the start, a reminder at the end',
    operands: [{ name: 'event' }],
    options: ['host', 'graph', 'url', 'secret-file'],
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
  },
  {
    name: 'connect',
    summary: 'let an agent host use a graph: writes its configuration, with a key of its own',
    operands: [{ name: 'host' }],
    options: ['graph', 'hooks', 'dry-run', 'project', 'user', 'url', 'secret-file'],
    texts: {
      graph: 'the graph that the agent uses',
      url: 'the service (LOREGRAPH_URL; http://127.0.0.1:7400 if absent)',
      'secret-file':
        'a file that holds an admin secret, instead of LOREGRAPH_SECRET; it is used once, and not kept',
    },
    about: [
      'The host is claude-code, codex, cursor, vscode or copilot. Shows what it changes, and keeps every other byte of',
      'the files; a copy of each is beside it until "loregraph disconnect". For claude-desktop, zed, windsurf, cline and',
      'goose it writes no file, but prints the lines to add, and says where. The key that it makes may read and write',
      'this graph and nothing else; its secret is kept in a file that only you can read, outside the project.',
    ],
    examples: [
      ['loregraph connect claude-code --graph demo --hooks --dry-run', 'see what would be written'],
      ['loregraph connect codex --graph demo', ''],
    ],
    exits: EXITS,
  },
  {
    name: 'disconnect',
    summary: 'undo connect: remove its lines and revoke its key',
    operands: [{ name: 'host' }],
    options: ['dry-run', 'project', 'user', 'url', 'secret-file'],
    texts: {
      url: 'the service (LOREGRAPH_URL; http://127.0.0.1:7400 if absent)',
      'secret-file': 'a file that holds an admin secret, instead of LOREGRAPH_SECRET',
    },
    about: [
      'A file that nobody has changed since gets its former bytes back; from any other, only the lines of connect are',
      'removed. Files that connect made are gone again.',
    ],
    examples: [['loregraph disconnect claude-code', '']],
    exits: EXITS,
  },
] as const satisfies readonly Command[]
