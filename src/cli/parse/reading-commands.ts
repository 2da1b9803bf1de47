import type { Command } from './command.js'

const EXITS = ['fine', 'usage', 'noInput', 'unavailable', 'inUse', 'noPermission', 'config'] as const

/** The commands that look into graphs and change nothing. */
export const READING_COMMANDS = [
  {
    name: 'insight',
    summary: 'ask what is known about a task',
    operands: [{ name: 'graph' }, { name: 'task' }],
    options: ['limit', 'explain', 'as-of', 'valid-at', 'json', 'data', 'url', 'secret-file'],
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
    exits: EXITS,
  },
  {
    name: 'brief',
    summary: 'print what to know before starting work',
    operands: [{ name: 'graph' }],
    options: ['task', 'max-chars', 'json', 'data', 'url', 'secret-file'],
    about: [
      'What stands, what is disputed and what is stale, as Markdown; with --task, first what is relevant to the task.',
    ],
    examples: [
      ['loregraph brief demo', ''],
      ['loregraph brief demo --task "Speed up the tests" --max-chars 1000', 'for one task, and short'],
    ],
    exits: EXITS,
  },
  {
    name: 'status',
    summary: 'say how much the graphs hold, or one of them in detail',
    operands: [{ name: 'graph', optional: true }],
    options: ['json', 'data', 'url', 'secret-file'],
    about: ['Without a graph, a line for each. With one: what it holds, of what, and what of it stands.'],
    examples: [
      ['loregraph status', 'all graphs'],
      ['loregraph status demo', 'one of them'],
    ],
    exits: EXITS,
  },
  {
    name: 'disputes',
    summary: 'list the memories that contradict each other',
    operands: [{ name: 'graph' }],
    options: ['json', 'data', 'url', 'secret-file'],
    about: ['Both sides of each stand, in open contradiction. The latest first.'],
    examples: [['loregraph disputes demo', '']],
    exits: EXITS,
  },
  {
    name: 'stale',
    summary: 'list the memories that build on something that was replaced',
    operands: [{ name: 'graph' }],
    options: ['json', 'data', 'url', 'secret-file'],
    about: ['Each with what it builds on and what replaced that. The latest first.'],
    examples: [['loregraph stale demo', '']],
    exits: EXITS,
  },
  {
    name: 'history',
    summary: 'list how a memory was stated, what replaced what, and when it holds',
    operands: [{ name: 'graph' }, { name: 'memory_id' }],
    options: ['json', 'data', 'url', 'secret-file'],
    about: [
      'Every statement in the order of recording, with what it did to other memories. Then when each claim of the memory holds or',
      'held, in the order of the world.',
    ],
    examples: [
      ['loregraph history demo mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N', 'the id is in "loregraph insight --explain"'],
    ],
    exits: EXITS,
  },
  {
    name: 'around',
    summary: 'list the contexts around one, and the links among them',
    operands: [{ name: 'graph' }, { name: 'context' }],
    options: ['depth', 'json', 'data', 'url', 'secret-file'],
    about: ['The context is written type:name. The nearest first.'],
    examples: [
      ['loregraph around demo decision:test_runner', ''],
      ['loregraph around demo decision:test_runner --depth 2', 'over two links'],
    ],
    exits: EXITS,
  },
] as const satisfies readonly Command[]
