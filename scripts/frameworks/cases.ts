import type { ListedTool } from '../../test/support/mcp.js'

/** How what is optional is sent by a host or a model that does not want to say it. */
export const FORMS = ['absent', 'null', 'empty'] as const

export interface Case {
  readonly tool: string
  readonly form: (typeof FORMS)[number]
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the model is told where nothing is wrong, whether that is the text or the data of the result. */
  readonly answer: RegExp
}

interface Call {
  readonly given: Readonly<Record<string, unknown>>
  readonly answer: RegExp
}

interface Property {
  readonly type?: string
  readonly default?: unknown
}

/** Each tool that is listed, called in each form; a tool without a call here is a mistake. */
export function casesOf(tools: readonly ListedTool[], memory_id: string): readonly Case[] {
  const calls: Readonly<Record<string, Call>> = {
    recall: { given: { query: 'Which test runner do we use?' }, answer: /Vitest/i },
    insight: { given: { task: 'Which test runner do we use?' }, answer: /Vitest/i },
    record: { given: { text: RECORDED, context_id: 'fact:frameworks' }, answer: /mem_.*fact:frameworks/s },
    browse: { given: {}, answer: /decision.*procedure/s },
    brief: { given: {}, answer: /decision:/ },
    forget: { given: { memory_id }, answer: /would erase 1 memory|dry_run/ },
  }
  return tools.flatMap(({ name, inputSchema }) => {
    const call = calls[name]
    if (call === undefined) throw new Error(`There is no call of ${name} in ${import.meta.url}.`)
    const optional = Object.entries((inputSchema.properties ?? {}) as Record<string, Property>).filter(
      ([property]) => !Object.hasOwn(call.given, property),
    )
    return FORMS.map((form) => {
      const more = optional.map(([property, schema]) => [
        property,
        form === 'null' ? null : emptyOf(property, schema),
      ])
      const rest = form === 'absent' ? {} : Object.fromEntries(more)
      return { tool: name, form, arguments: { ...call.given, ...rest }, answer: call.answer }
    })
  })
}

export const RECORDED = 'Frameworks of others fill what is absent with nothing in three ways.'

/** What a model gives where it must give something: text, lists and objects can be empty. */
function emptyOf(name: string, { type, default: usual }: Property): unknown {
  if (Object.hasOwn(USUAL, name)) return USUAL[name]
  if (type === 'array') return []
  if (type === 'object') return {}
  return usual ?? ''
}

const USUAL: Readonly<Record<string, unknown>> = {
  limit: 5,
  max_chars: 4_000,
  min_confidence: 'low',
  event_kind: 'fact',
}
