/** Changes of the contract that would break clients: what it is, what to replace, with what. */
export const BREAKS: readonly (readonly [name: string, from: string | RegExp, to: string])[] = [
  ['an operation is gone', /\n {2}\/v1\/memories\/insights:\n[\s\S]*?(?=\n {2}\/v1\/memories:\n)/, ''],
  [
    'a field of an answer is gone',
    / {8}recommendation:\n {10}type: string\n {10}description: \|\n(?: {12}.*\n)+ {10}maxLength: 8000\n/,
    '',
  ],
  [
    'a field that was promised no longer is',
    'required: [insight, recommendation, confidence]',
    'required: [insight]',
  ],
  ['a field of a request is now required', 'required: [task, graph_id]', 'required: [task, graph_id, limit]'],
  [
    'a value is no longer taken',
    'enum: [agent, user, system, validator, executor]',
    'enum: [agent, user, system]',
  ],
  ['a bound is tighter', 'minimum: 1, maximum: 500, default: 100', 'minimum: 1, maximum: 50, default: 50'],
  ['a path is called otherwise', '/v1/events/batch:', '/v1/events/many:'],
]
