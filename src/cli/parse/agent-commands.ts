import type { Command } from './command.js'

/** The commands that connect agents. */
export const AGENT_COMMANDS = [
  {
    name: 'mcp',
    summary: 'serve the tools of a graph to an agent over stdio, by the Model Context Protocol',
    operands: [],
    options: ['graph', 'allow-erase', 'url', 'secret-file'],
    about: [
      'For hosts that start their servers themselves. It asks the service at --url (http://127.0.0.1:7400 if absent)',
      'with the secret in LOREGRAPH_SECRET. Without --graph it works in the only graph that the secret reaches.',
      'Nothing but messages goes to stdout. It ends when its host does.',
      '',
      'A host that speaks MCP over HTTP needs no process of its own: the service answers at /mcp/GRAPH.',
    ],
    examples: [['loregraph mcp --graph demo --url http://127.0.0.1:7400', 'the command to give to a host']],
    exits: ['fine', 'usage', 'noInput', 'config'],
  },
] as const satisfies readonly Command[]
