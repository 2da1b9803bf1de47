import { textsIn } from './stand-in.js'

// biome-ignore lint/suspicious/noExplicitAny: what hosts send, of which only a few fields are read.
export type Body = any

/** A tool as the host offers it. */
export interface Offered {
  readonly name: string
  /** Codex groups the tools of a server. */
  readonly namespace?: string
  /** If it takes a text in place of arguments, or finds other tools. */
  readonly form?: 'plain' | 'search'
}

export interface Called {
  readonly tool: Offered
  readonly args: Readonly<Record<string, unknown>>
  readonly id: string
}

export function fullName({ name, namespace }: Offered): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}

interface Protocol {
  tools(body: Body): readonly Offered[]
  results(body: Body): readonly string[]
  answer(
    answer: Called | string,
    request: { readonly path: string; readonly body: Body },
  ): { readonly type: string; readonly text: string }
}

const JSON_TYPE = 'application/json'
const SSE = 'text/event-stream'

/** Messages of Anthropic. */
const MESSAGES: Protocol = {
  tools: ({ tools = [] }) => tools.map(({ name }: Body) => ({ name })),
  results: ({ messages = [] }) =>
    messages
      .flatMap(({ content }: Body) => (Array.isArray(content) ? content : []))
      .filter(({ type }: Body) => type === 'tool_result')
      .map(({ content }: Body) => textsIn(content)),
  answer(answer, { path, body }) {
    if (path.includes('count_tokens')) return { type: JSON_TYPE, text: '{"input_tokens":1}' }
    const isText = typeof answer === 'string'
    const block = isText
      ? { type: 'text', text: answer }
      : { type: 'tool_use', id: `toolu_${answer.id}`, name: answer.tool.name, input: answer.args }
    const stop_reason = isText ? 'end_turn' : 'tool_use'
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      stop_sequence: null,
    }
    if (body.stream !== true)
      return { type: JSON_TYPE, text: JSON.stringify({ ...message, content: [block], stop_reason, usage }) }
    const [empty, delta] = isText
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: answer },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(answer.args) },
        ]
    return events([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ])
  },
}

/** Responses of OpenAI. */
const RESPONSES: Protocol = {
  tools({ tools = [], input = [] }) {
    const found = input.filter(({ type }: Body) => type === 'tool_search_output')
    const own = found.length > 0 ? tools.filter(({ type }: Body) => type !== 'tool_search') : tools
    return [...own, ...found.flatMap((one: Body) => one.tools)].flatMap(responseTools)
  },
  results: ({ input = [] }) =>
    input
      .filter(({ type }: Body) => type?.endsWith('call_output'))
      .map(({ output }: Body) => textsIn(output)),
  answer(answer) {
    const item = responseItem(answer)
    const response = {
      id: 'resp_1',
      status: 'completed',
      output: [item],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    }
    return events([
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ])
  },
}

/** Chat completions of OpenAI. */
const COMPLETIONS: Protocol = {
  tools: ({ tools = [] }) => tools.map((tool: Body) => ({ name: tool.function.name })),
  results: ({ messages = [] }) =>
    messages.filter(({ role }: Body) => role === 'tool').map(({ content }: Body) => textsIn(content)),
  answer(answer, { body }) {
    const isText = typeof answer === 'string'
    const message = isText
      ? { role: 'assistant', content: answer }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 0,
              id: answer.id,
              type: 'function',
              function: { name: answer.tool.name, arguments: JSON.stringify(answer.args) },
            },
          ],
        }
    const finish_reason = isText ? 'stop' : 'tool_calls'
    const head = { id: 'chat_1', created: 1, model: body.model }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    if (body.stream !== true) {
      const choices = [{ index: 0, message, finish_reason }]
      return {
        type: JSON_TYPE,
        text: JSON.stringify({ ...head, object: 'chat.completion', choices, usage }),
      }
    }
    const chunk = (delta: object, reason: string | null) =>
      data({
        ...head,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: reason }],
        ...(reason !== null && { usage }),
      })
    return { type: SSE, text: `${chunk(message, null)}${chunk({}, finish_reason)}data: [DONE]\n\n` }
  },
}

/** Gemini. */
const CONTENTS: Protocol = {
  tools: ({ tools = [] }) =>
    tools
      .flatMap(({ functionDeclarations = [] }: Body) => functionDeclarations)
      .map(({ name }: Body) => ({ name })),
  results: ({ contents = [] }) =>
    contents
      .flatMap(({ parts = [] }: Body) => parts)
      .flatMap(({ functionResponse }: Body) =>
        functionResponse ? [textsIn(functionResponse.response)] : [],
      ),
  answer(answer, { path }) {
    if (path.includes('countTokens')) return { type: JSON_TYPE, text: '{"totalTokens":1}' }
    const part =
      typeof answer === 'string'
        ? { text: answer }
        : { functionCall: { name: answer.tool.name, args: answer.args } }
    const body = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    }
    return path.includes('stream')
      ? { type: SSE, text: data(body) }
      : { type: JSON_TYPE, text: JSON.stringify(body) }
  },
}

/** Undefined if no model is asked there. */
export function protocolFor(path: string): Protocol | undefined {
  if (path.includes('/messages')) return MESSAGES
  if (path.includes('/responses')) return RESPONSES
  if (path.includes('/chat/completions')) return COMPLETIONS
  return /:\w*(?:GenerateContent|generateContent|countTokens)/.test(path) ? CONTENTS : undefined
}

function responseTools({ type, name, tools }: Body): readonly Offered[] {
  if (type === 'namespace') return tools.map((tool: Body) => ({ name: tool.name, namespace: name }))
  if (type === 'tool_search') return [{ name: type, form: 'search' }]
  return [{ name: name ?? type, ...(type === 'custom' && { form: 'plain' }) }]
}

function responseItem(answer: Called | string): object {
  if (typeof answer === 'string')
    return {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answer, annotations: [] }],
    }
  const { tool, args, id } = answer
  const { name, namespace } = tool
  if (tool.form === 'search')
    return {
      type: 'tool_search_call',
      call_id: id,
      execution: 'client',
      status: 'completed',
      arguments: args,
    }
  if (tool.form === 'plain')
    return { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name, input: textsIn(args) }
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    status: 'completed',
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(args),
  }
}

function events(all: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[]) {
  return { type: SSE, text: all.map((event) => `event: ${event.type}\n${data(event)}`).join('') }
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
